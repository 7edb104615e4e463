function spicymkl_save (model, file)
  % spicymkl_save  Write a model to a file that the command and the Python package read.
  %
  %   spicymkl_save (model, 'model.safetensors')
  %
  % The file appears when it is whole. Its history is not kept.
  %
  % See also: spicymkl_load
  if nargin ~= 2
    error ('spicymkl:input', 'spicymkl_save takes a model and a file name: see help spicymkl_save');
  end
  spicymkl_call ('save', model, file);
end

%!error <cannot write '/no/such/folder/m'> spicymkl_save (spicymkl_train (eye (4), [1; 1; 2; 2]), '/no/such/folder/m')
%!error <model is 3> spicymkl_save (3, 'm')
%!error <takes a model and a file name> spicymkl_save (3)
