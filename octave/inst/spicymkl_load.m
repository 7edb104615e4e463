function model = spicymkl_load (file)
  % spicymkl_load  Read a model that spicymkl_save, the command or the Python package wrote.
  %
  %   model = spicymkl_load ('model.safetensors')
  %
  % model is that of spicymkl_train, without its history.
  %
  % See also: spicymkl_save, spicymkl_predict
  if nargin ~= 1
    error ('spicymkl:input', 'spicymkl_load takes a file name: see help spicymkl_load');
  end
  model = spicymkl_call ('load', file);
end

%!test  % what comes back is what was saved
%! K = cat (3, eye (6), ones (6));
%! model = spicymkl_train (K, [1; 1; 1; 2; 2; 2] / 3);
%! file = [tempname(), '.safetensors'];
%! unwind_protect
%!   spicymkl_save (model, file);
%!   again = spicymkl_load (file);
%!   assert (rmfield (model, 'history'), again);
%!   assert (spicymkl_predict (again, K), spicymkl_predict (model, K));
%! unwind_protect_cleanup
%!   delete (file);
%! end_unwind_protect
%!error <there is no such file> spicymkl_load ('/no/such/file')
%!error <the file name is 3, but it must be a string> spicymkl_load (3)
%!error <takes a file name> spicymkl_load ()
