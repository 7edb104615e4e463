function [model, cv] = spicymkl_cv (K, y, options)
  % spicymkl_cv  Choose alpha by cross-validation, then train on all samples.
  %
  %   [model, cv] = spicymkl_cv (K, y)
  %   [model, cv] = spicymkl_cv (K, y, options)
  %
  % Arguments are those of spicymkl_train; instead of alpha, options has
  %   folds                 number of parts that the samples are cut into (default 5)
  %   metric                'auto' (log_loss or accuracy for classes, rmse for numbers), 'accuracy',
  %                         'balanced_accuracy', 'auc', 'log_loss', 'rmse', 'mae', 'r2'
  %   one_standard_error    true chooses the largest alpha within one standard error of the best
  %   n_alphas, alpha_ratio, alphas         as in spicymkl_path (defaults 12, 0.001)
  %   l1_ratios, qs         values of l1_ratio and q to try
  % Everything is fitted on the training part of each fold: scaling, kernel widths, missing cells.
  %
  % model is that of spicymkl_train with what was chosen. cv is a struct with an entry per point that was tried:
  %   alpha_ratios (or alphas, where numbers were given), l1_ratios, qs, kernels
  %   mean, standard_error, scores (points x folds), n_active; NaN where a fold left the point out
  %   familiar             mean of familiar_metric, accuracy or r2
  %   metric, best, one_standard_error, chosen      the last three are numbers of points
  %   folds                the fold that tests each sample
  %
  % See also: spicymkl_train, spicymkl_path
  if nargin < 2 || nargin > 3
    error ('spicymkl:input', 'spicymkl_cv takes kernels or a table, labels and options: see help spicymkl_cv');
  end
  if nargin < 3
    options = struct ();
  end
  [model, cv] = spicymkl_learn ('cv', K, y, options);
end

%!shared X, y, K
%! randn ('seed', 1);
%! X = randn (60, 3);
%! y = sign (X(:,1) + 0.3 * randn (60, 1));
%! K = zeros (60, 60, 3);
%! for m = 1:3, K(:,:,m) = X(:,m) * X(:,m)'; end

%!test  % the choice is the best mean, and the model is trained with it
%! [model, cv] = spicymkl_cv (K, y, struct ('folds', 3, 'alphas', [5, 1, 0.2], 'metric', 'accuracy'));
%! assert (cv.alphas, [5; 1; 0.2]);
%! assert (cv.mean, mean (cv.scores, 2), 1e-12);
%! assert (cv.best, find (cv.mean == max (cv.mean), 1));
%! assert (model.alpha, cv.alphas(cv.chosen));
%! assert (unique (cv.folds)', 1:3);

%!test  % a table
%! [model, cv] = spicymkl_cv (X, y, struct ('kernels', 'auto', 'n_alphas', 3));
%! assert (cv.metric, 'log_loss');
%! assert (model.status, 'converged');

%!test  % all classes at once
%! model = spicymkl_cv (K, 1 + (X(:,1) > 0) + (X(:,2) > 0), ...
%!                      struct ('task', 'classification', 'multi_class', 'joint', 'folds', 3, 'n_alphas', 3));
%! assert (model.loss, 'multinomial');
%! assert (size (model.kernel_weights), [3, 1]);
%! of_default = spicymkl_cv (K, 1 + (X(:,1) > 0) + (X(:,2) > 0), ...
%!                           struct ('task', 'classification', 'folds', 3, 'n_alphas', 3));
%! assert (of_default.kernel_weights, model.kernel_weights);

%!error <does not know options.device> spicymkl_cv (K, y, struct ('device', 'cpu'))
%!error <spicymkl_cv takes kernels> spicymkl_cv (K)
%!error <folds is 1, but> spicymkl_cv (K, y, struct ('folds', 1))
%!error <options.q has no effect with options.qs> spicymkl_cv (K, y, struct ('penalty', 'blockq', 'q', 1.5, 'qs', [1.3, 1.7]))
