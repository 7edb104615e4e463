function varargout = spicymkl_call (name, varargin)
  % Calls the library, and raises its refusals as errors.
  varargout = cell (1, max (nargout, 1));
  [failure, varargout{:}] = spicymkl_mex (name, varargin{:});
  if ~isempty (failure)
    error (failure.identifier, '%s', failure.message);
  end
end
