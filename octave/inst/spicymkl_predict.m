function [labels, scores, probabilities] = spicymkl_predict (model, K)
  % spicymkl_predict  Labels, scores and probabilities of new rows.
  %
  %   [labels, scores, probabilities] = spicymkl_predict (model, K)
  %   [labels, scores, probabilities] = spicymkl_predict (model, X)       where the model was trained on a table
  %
  % model comes from spicymkl_train, spicymkl_cv or spicymkl_load. K holds the kernels of the new rows with the N
  % training samples: an array N_new x N x M, or a cell array of M matrices N_new x N; all M kernels, or the active ones
  % in order.
  %
  % labels are classes, numbers or strings as training had them, or the predicted numbers. scores are f(x): of two
  % classes above 0 for the second of model.classes, of more one column per class. probabilities has a column per class;
  % it is empty where the loss gives none (logistic does).
  %
  % See also: spicymkl_train
  if nargin ~= 2
    error ('spicymkl:input', 'spicymkl_predict takes a model and kernels or a table: see help spicymkl_predict');
  end
  [labels, scores, probabilities] = spicymkl_call ('predict', model, K);
end

%!shared X, y, K, model
%! randn ('seed', 1);
%! X = randn (60, 3);
%! y = sign (X(:,1) + 0.3 * randn (60, 1));
%! K = zeros (60, 60, 3);
%! for m = 1:3, K(:,:,m) = exp (-(X(:,m) - X(:,m)') .^ 2); end
%! model = spicymkl_train (K, y, struct ('alpha', '0.3max'));

%!test  % new rows: another number of them, in either form, all kernels or the active ones
%! new = K(1:7,:,:);
%! [labels, scores, probabilities] = spicymkl_predict (model, new);
%! f = model.intercept;
%! for m = 1:3, f = f + model.coef_scale(m) * new(:,:,m) * model.dual; end
%! assert (scores, f, 1e-12);
%! assert (labels, sign (f));
%! assert (probabilities, [1 ./ (1 + exp (f)), 1 ./ (1 + exp (-f))], 1e-12);
%! assert (numel (model.active_kernels) < 3);
%! [~, of_active] = spicymkl_predict (model, arrayfun (@(m) new(:,:,m), model.active_kernels, 'UniformOutput', false));
%! assert (of_active, scores);

%!test  % numbers, from a table
%! numbers = spicymkl_train (X, X(:,1), struct ('kernels', 'auto'));
%! [labels, scores, probabilities] = spicymkl_predict (numbers, X(1:5,:));
%! assert (labels, scores);
%! assert (size (probabilities), [5, 0]);
%! assert (labels, X(1:5,1), 0.5);

%!error <spicymkl_predict takes a model> spicymkl_predict (model)
%!error <model is 3, but it must be the struct that spicymkl_train> spicymkl_predict (3, K)
%!error <model is a struct without fields, so that there is no model in it; give the struct that spicymkl_train, spicymkl_cv>
%! spicymkl_predict (struct (), K);
%!error <model is a struct without the field 'file', so that there is no model in it> spicymkl_predict (struct ('a', 1), K)
%!error <model is empty, but it must be the struct that spicymkl_train> spicymkl_predict (struct ([]), K)
%!error <model is a 1 x 2 struct array, but it must be the struct that> spicymkl_predict ([model, model], K)
%!error <model.file is 1, but it must be as in the struct that spicymkl_train> spicymkl_predict (struct ('file', 1), K)
%!error <kernels of new rows must be N_new x N x M or N_new x N with N = 60> spicymkl_predict (model, K(:,1:5,:))
%!error <K holds 2 kernels, but the model has 3, .* of them active> spicymkl_predict (spicymkl_train (K, y), K(:,:,1:2))
%!error <kernel 1 has -?inf at row 1, column 1; every entry must be a finite number> spicymkl_predict (model, K * Inf)
%!error <K is 'abc'> spicymkl_predict (model, 'abc')
%!error <the model was trained on 3 columns> spicymkl_predict (spicymkl_train (X, y, struct ('kernels', 'auto')), X(:,1:2))
%!error <the model was trained on a table> spicymkl_predict (spicymkl_train (X, y, struct ('kernels', 'auto')), {K})
