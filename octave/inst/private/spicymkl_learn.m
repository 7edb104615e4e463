function varargout = spicymkl_learn (name, samples, y, options)
  % Calls train, path or cv, and warns of what the user should know. Kernels that are a struct, or a cell array of
  % structs, are handed on as JSON.
  if isstruct (options) && isfield (options, 'kernels') && (isstruct (options.kernels) || iscell (options.kernels))
    options.kernels = encoded (options.kernels);
  end
  varargout = cell (1, max (nargout, 1));
  [varargout{:}, notes] = spicymkl_call (name, samples, y, options);
  for k = 1:numel (notes)
    warning ('spicymkl:note', '%s', notes{k});
  end
end

function text = encoded (kernels)
  % As JSON, which has no NaN, no Inf and no functions.
  each = kernels;
  if isstruct (each)
    each = num2cell (each);
  end
  for k = 1:numel (each)
    if isstruct (each{k})
      check_kernel (each{k}, sprintf ('kernel %d of options.kernels', k));
    end
  end
  text = '[]';
  if ~isempty (kernels)  % an empty struct array would be no text at all
    text = jsonencode (kernels);
  end
end

function check_kernel (kernel, what)
  names = fieldnames (kernel);
  for k = 1:numel (names)
    value = kernel(1).(names{k});
    if isnumeric (value) && ~(isreal (value) && all (isfinite (value(:))))
      error ('spicymkl:input', '%s: %s must be finite numbers', what, names{k});
    end
    if ~(isnumeric (value) || islogical (value) || ischar (value) || iscell (value) || isstruct (value))
      error ('spicymkl:input', '%s: %s is of class %s, but it must be numbers, strings or true or false', what, ...
             names{k}, class (value));
    end
  end
  if isfield (kernel, 'columns') && (isnumeric (kernel.columns) || (iscell (kernel.columns) && any (cellfun (@isnumeric, kernel.columns))))
    % The library counts columns from 0, which nobody expects here.
    error ('spicymkl:input', '%s: columns are given as numbers; give their names, such as {''x0'', ''x1''}', what);
  end
end
