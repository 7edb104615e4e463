function varargout = spicymkl_learn (name, samples, y, options)
  % Calls train, path or cv, and warns of what the user should know. Kernels that are a struct, or a cell array of
  % structs, are handed on as JSON.
  if isstruct (options) && isfield (options, 'kernels') && (isstruct (options.kernels) || iscell (options.kernels))
    options.kernels = jsonencode (options.kernels);
  end
  varargout = cell (1, max (nargout, 1));
  [varargout{:}, notes] = spicymkl_call (name, samples, y, options);
  for k = 1:numel (notes)
    warning ('spicymkl:note', '%s', notes{k});
  end
end
