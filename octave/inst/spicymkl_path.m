function path = spicymkl_path (K, y, options)
  % spicymkl_path  A whole regularisation path: kernel weights against alpha.
  %
  %   path = spicymkl_path (K, y)
  %   path = spicymkl_path (K, y, options)
  %
  % Arguments are those of spicymkl_train; instead of alpha, options has
  %   n_alphas       number of alphas, log-spaced, from alpha_max down (default 50)
  %   alpha_ratio    smallest alpha as a fraction of alpha_max (default 0.01)
  %   alphas         these instead: numbers, or a cell array of strings such as {'1max', '0.5max'}
  %
  % path is a struct. With P strengths, F fits and C columns of scores (C = F, but F = 1 of classes that are learned at
  % once):
  %   alphas, primal_objectives, duality_gaps, n_active     P x F, alphas decreasing
  %   intercepts                                            P x C
  %   kernel_weights, coef_scales                           M x P x F
  %   duals                                                 N x P x C
  %   alpha_max, kernel_names
  %
  % Example:
  %   path = spicymkl_path (K, y, struct ('n_alphas', 20));
  %   semilogx (path.alphas, path.kernel_weights');
  %
  % See also: spicymkl_train, spicymkl_cv
  if nargin < 2 || nargin > 3
    error ('spicymkl:input', 'spicymkl_path takes kernels or a table, labels and options: see help spicymkl_path');
  end
  if nargin < 3
    options = struct ();
  end
  path = spicymkl_learn ('path', K, y, options);
end

%!shared y, K
%! randn ('seed', 1);
%! X = randn (60, 3);
%! y = X(:,1) + 0.3 * randn (60, 1);
%! K = zeros (60, 60, 3);
%! for m = 1:3, K(:,:,m) = X(:,m) * X(:,m)'; end

%!test  % every point is that of spicymkl_train
%! path = spicymkl_path (K, y, struct ('n_alphas', 5, 'tol', 1e-8));
%! assert (size (path.kernel_weights), [3, 5]);
%! assert (path.alphas(1), path.alpha_max, 1e-9 * path.alpha_max);
%! assert (path.n_active(1), 0);
%! assert (all (path.duality_gaps <= 1e-8));
%! model = spicymkl_train (K, y, struct ('alpha', path.alphas(4), 'tol', 1e-8));
%! assert (path.primal_objectives(4), model.primal_objective, 1e-7);
%! assert (path.kernel_weights(:,4), model.kernel_weights, 1e-4);
%! assert (path.duals(:,4), model.dual, 1e-3);

%!test  % given strengths; three classes, each against the rest
%! options = struct ('alphas', {{'0.5max', '0.1max'}}, 'task', 'classification', 'multi_class', 'ovr');
%! path = spicymkl_path (K, 1 + (y > -0.3) + (y > 0.5), options);
%! assert (size (path.kernel_weights), [3, 2, 3]);
%! assert (path.alphas, [0.5; 0.1] * path.alpha_max, 1e-9);

%!test  % all classes at once
%! classes = 1 + (y > -0.3) + (y > 0.5);
%! options = struct ('task', 'classification', 'tol', 1e-8);
%! path = spicymkl_path (K, classes, setfield (options, 'n_alphas', 3));
%! assert (size (path.kernel_weights), [3, 3]);
%! assert (size (path.duals), [60, 3, 3]);
%! model = spicymkl_train (K, classes, setfield (options, 'alpha', path.alphas(3)));
%! assert (squeeze (path.duals(:,3,:)), model.dual, 1e-3);
%! assert (path.intercepts(3,:), model.intercept, 1e-3);

%!error <spicymkl_path takes kernels> spicymkl_path (K)
%!error <spicymkl_path does not know options.alpha; did you mean options.alphas\?> spicymkl_path (K, y, struct ('alpha', 1))
%!error <options.n_alphas has no effect with options.alphas> spicymkl_path (K, y, struct ('n_alphas', 3, 'alphas', [1, 2]))
