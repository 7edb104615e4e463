function model = spicymkl_train (K, y, options)
  % spicymkl_train  Learn a predictor and the weight of every kernel, with proof.
  %
  %   model = spicymkl_train (K, y)
  %   model = spicymkl_train (K, y, options)
  %   model = spicymkl_train (X, y, options)       with options.kernels, such as 'auto'
  %
  % K holds the kernels of the N samples: an array N x N x M, or a cell array of M matrices N x N. With options.kernels
  % the first argument is a table X of N rows and d columns instead, from which the kernels are computed.
  % y has one label per sample: numbers, logical values, or a cell array of strings. Strings and two different numbers
  % are classes, other numbers are numbers; options.task says which where it is open.
  %
  % options is a struct whose fields are the options of the command 'spicymkl train', among them
  %   alpha      strength of the penalty, a number or a string: '0.1max' is a tenth of the smallest that selects no
  %              kernel (default '0.03max')
  %   loss       'auto', 'logistic', 'hinge', 'squared_hinge', 'squared', 'epsilon_insensitive', 'huber', 'quantile'
  %   penalty    'block1' (default; selects few kernels), 'elasticnet', 'blockq', 'uniform', 'mixed'
  %   l1_ratio, q, epsilon, quantile       parameters of these
  %   tol        relative duality gap to reach (default 0.001)
  %   max_iter, max_seconds, solver, threads, fit_intercept, task, device
  %   multi_class    three classes or more: 'joint' (all at once), 'ovr' (each against the rest) or 'auto' (default:
  %                  'joint', or 'ovr' with losses that tell only two classes apart)
  %   kernels    kernels of a table: 'auto', 'paper', 'random:M', the name of a JSON file, or a cell array of structs
  %              such as struct ('type', 'gaussian', 'width', 0.5)
  %   groups, impute, standardize, seed, features, memory       of a table
  % and, where the command takes files or columns,
  %   weights    N sample weights above 0
  %   event      y are survival times, and these N values say which of them ended with the event (1) and which samples
  %              were lost before it (0); scores are then log-risks, by the loss 'cox'
  %   psd        what to do with kernels that have negative eigenvalues: 'refuse', 'clip', 'flip' or 'shift'
  %   columns    names of the columns of X, in a cell array (default: x0, x1, ...)
  %   verbose    true prints one line per step
  % A field that is not known, or that would have no effect, is refused.
  %
  % model is a struct. Columns are fits: one for numbers or two classes. Three classes and more that are learned at once
  % are one fit too, with one weight per kernel, but dual and intercept have a column per class; where each is learned
  % against the rest, there is a fit for each.
  %   kernel_weights, kernel_norms      M x fits
  %   active_kernels                    numbers of the kernels with a weight
  %   dual, coef_scale, intercept       f(x) = sum over m of coef_scale(m) * k_m(x, :) * dual + intercept
  %   alpha, primal_objective, dual_objective, duality_gap (relative), status, n_iter, history
  %   seconds, seconds_input            of training alone, and of reading and checking what was given
  %   classes, loss, penalty, kernel_names
  %   file                              the bytes of the model's file, from which predictions are made
  %
  % Example:
  %   X = [randn(50, 2); randn(50, 2) + 2];
  %   y = [-ones(50, 1); ones(50, 1)];
  %   model = spicymkl_train (X, y, struct ('kernels', 'auto'));
  %   labels = spicymkl_predict (model, X);
  %
  % See also: spicymkl_predict, spicymkl_cv, spicymkl_path, spicymkl_save, SpicyMKL
  if nargin < 2 || nargin > 3
    error ('spicymkl:input', 'spicymkl_train takes kernels or a table, labels and options: see help spicymkl_train');
  end
  if nargin < 3
    options = struct ();
  end
  model = spicymkl_learn ('train', K, y, options);
end

%!shared X, y, K
%! rand ('seed', 1); randn ('seed', 1);
%! X = randn (60, 3);
%! y = sign (X(:,1) + 0.3 * randn (60, 1));
%! K = zeros (60, 60, 4);
%! for m = 1:3, K(:,:,m) = exp (-(X(:,m) - X(:,m)') .^ 2); end
%! K(:,:,4) = X * X';

%!test  % the objective and the proof, recomputed here
%! model = spicymkl_train (K, y, struct ('alpha', 1.5, 'tol', 1e-6));
%! f = model.intercept;
%! for m = 1:4, f = f + model.coef_scale(m) * K(:,:,m) * model.dual; end
%! norms = arrayfun (@(m) model.coef_scale(m) * sqrt (model.dual' * K(:,:,m) * model.dual), 1:4)';
%! assert (norms, model.kernel_norms, 1e-10);
%! assert (sum (log1p (exp (-y .* f))) + 1.5 * sum (norms), model.primal_objective, 1e-9);
%! assert (model.duality_gap <= 1e-6);
%! assert (model.dual_objective <= model.primal_objective);
%! assert (find (model.kernel_weights > 0)', model.active_kernels);

%!test  % a cell array of kernels, of another class, is the same
%! a = spicymkl_train (K, y);
%! b = spicymkl_train ({K(:,:,1), K(:,:,2), K(:,:,3), K(:,:,4)}, y == 1);
%! assert (a.primal_objective, b.primal_objective);
%! assert (a.dual, b.dual);
%! assert (b.classes, [0; 1]);

%!test  % a table, classes that are strings
%! names = {'low', 'high'};
%! model = spicymkl_train (X, names(1 + (y > 0)), struct ('kernels', 'auto'));
%! assert (model.classes, {'high'; 'low'});
%! assert (mean (strcmp (spicymkl_predict (model, X), names(1 + (y > 0))')) > 0.9);

%!test  % kernels that are described one by one
%! list = {struct('type', 'gaussian', 'width', 0.5, 'columns', {{'a'}}), struct('type', 'linear')};
%! model = spicymkl_train (X, y, struct ('kernels', {list}, 'columns', {{'a', 'b', 'c'}}));
%! assert (numel (model.kernel_names), 2);

%!test  % clearing the function leaves its code where it is: threads may be on their way to sleep in it
%! spicymkl_train (K, y);
%! clear -f spicymkl_mex
%! if exist ('/proc/self/maps', 'file')
%!   assert (! isempty (strfind (fileread ('/proc/self/maps'), 'spicymkl_mex.mex')));
%! end
%! assert (spicymkl_train (K, y).duality_gap <= 1e-3);

%!test  % more than two classes, each against the rest: one fit each
%! classes = 1 + (X(:,1) > 0) + (X(:,2) > 0);
%! for options = {struct('multi_class', 'ovr'), struct('loss', 'hinge')}
%!   model = spicymkl_train (K, classes, setfield (options{1}, 'task', 'classification'));
%!   assert (size (model.kernel_weights), [4, 3]);
%!   assert (size (model.intercept), [1, 3]);
%!   assert (numel (model.history), 3);
%! end

%!test  % all at once is the default
%! classes = 1 + (X(:,1) > 0) + (X(:,2) > 0);
%! model = spicymkl_train (K, classes, struct ('task', 'classification'));
%! assert (model.loss, 'multinomial');
%! assert (spicymkl_train (K, y, struct ('multi_class', 'auto')).loss, 'logistic');
%! asked = spicymkl_train (K, classes, struct ('task', 'classification', 'multi_class', 'joint'));
%! assert (model.kernel_weights, asked.kernel_weights);
%! assert (model.primal_objective, asked.primal_objective);

%!test  % all classes at once: one weight per kernel, and the objective of its own numbers
%! classes = 1 + (X(:,1) > 0) + (X(:,2) > 0);
%! model = spicymkl_train (K, classes, struct ('task', 'classification', 'multi_class', 'joint', 'alpha', 1.5, 'tol', 1e-7));
%! assert (size (model.kernel_weights), [4, 1]);
%! assert (size (model.dual), [60, 3]);
%! f = repmat (model.intercept, 60, 1);
%! for m = 1:4, f = f + model.coef_scale(m) * K(:,:,m) * model.dual; end
%! of_own = f(sub2ind ([60, 3], (1:60)', classes));
%! loss = sum (log (sum (exp (f), 2)) - of_own);
%! assert (loss + 1.5 * sum (model.kernel_norms), model.primal_objective, 1e-8);
%! assert (model.duality_gap <= 1e-7);
%! [labels, scores, probabilities] = spicymkl_predict (model, K);
%! assert (scores, f, 1e-10);
%! assert (probabilities, exp (f) ./ sum (exp (f), 2), 1e-10);
%! [~, largest] = max (f, [], 2);
%! assert (labels, largest);

%!test  % survival times: Cox's partial likelihood, of its own numbers
%! time = exp (-X(:,1)) .* (0.5 + rand (60, 1));  event = rand (60, 1) < 0.7;
%! model = spicymkl_train (K, time, struct ('event', event, 'alpha', 0.5, 'tol', 1e-7));
%! f = zeros (60, 1);
%! for m = 1:4, f = f + model.coef_scale(m) * K(:,:,m) * model.dual; end
%! at_risk = arrayfun (@(t) sum (exp (f(time >= t))), time);
%! assert (sum (log (at_risk(event)) - f(event)) + 0.5 * sum (model.kernel_norms), model.primal_objective, 1e-7);
%! [risks, scores, probabilities] = spicymkl_predict (model, K);
%! assert (scores, f, 1e-9);
%! assert (risks, scores);
%! assert (isempty (probabilities));

%!test  % weights count samples; a switch may be given by either name
%! twice = spicymkl_train (K, y, struct ('weights', 2 * ones (60, 1), 'alpha', 3, 'no_intercept', true, 'tol', 1e-8));
%! once = spicymkl_train (K, y, struct ('alpha', 1.5, 'fit_intercept', false, 'tol', 1e-8));
%! assert (twice.primal_objective, 2 * once.primal_objective, 1e-5);
%! assert (once.intercept, 0);

%!warning <not yet 1e-14>  % what is not reached is said
%! model = spicymkl_train (K, y, struct ('tol', 1e-14, 'max_iter', 1, 'solver', 'spicy'));
%! assert (strcmp (model.status, 'converged'), false);

%!warning <repaired>  % a kernel that is no kernel is repaired where that is asked for
%! bad = K;  bad(1,1,1) = -3;
%! model = spicymkl_train (bad, y, struct ('psd', 'clip'));
%! assert (model.status, 'converged');

%!error <spicymkl_train takes kernels or a table> spicymkl_train (K)
%!error <does not know options.alhpa; did you mean options.alpha\?> spicymkl_train (K, y, struct ('alhpa', 1))
%!error <does not know options.gram> spicymkl_train (K, y, struct ('gram', 1))
%!error <options is 3, but it must be a struct> spicymkl_train (K, y, 3)
%!error <options.tol is 'x', but it must be a number> spicymkl_train (K, y, struct ('tol', 'x'))
%!error <options.max_iter is 1.5, but it must be a whole number> spicymkl_train (K, y, struct ('max_iter', 1.5))
%!error <options.max_iter is 3000000000, but it must be a whole number of at most> spicymkl_train (K, y, struct ('max_iter', 3e9))
%!error <options.alpha is a 1 x 2 double array, but it must be a string or a number> spicymkl_train (K, y, struct ('alpha', [1, 2]))
%!error <options.fit_intercept is 2, but it must be true or false> spicymkl_train (K, y, struct ('fit_intercept', 2))
%!error <options.l1_ratio has no effect with the block1 penalty> spicymkl_train (K, y, struct ('l1_ratio', 0.5))
%!error <options.groups has no effect with precomputed kernels> spicymkl_train (K, y, struct ('groups', 'g.json'))
%!error <options.psd has no effect with a table> spicymkl_train (X, y, struct ('kernels', 'auto', 'psd', 'clip'))
%!error <loss 'logistc' is not known \(did you mean 'logistic'\?\)> spicymkl_train (K, y, struct ('loss', 'logistc'))
%!error <tol is -1, but the relative duality gap to reach must be above 0> spicymkl_train (K, y, struct ('tol', -1))
%!error <the cox loss learns from times and events: give y as times, and options.event>
%! spicymkl_train (K, abs (y), struct ('loss', 'cox'));
%!error <options.event has no effect with the squared loss>
%! spicymkl_train (K, abs (y), struct ('loss', 'squared', 'event', y > 0));
%!error <options.event holds 2 events, but> spicymkl_train (K, abs (y), struct ('event', [0, 1]))
%!error <column 'event': none of the 60 rows has an event> spicymkl_train (K, abs (y), struct ('event', zeros (60, 1)))
%!error <the time is '-1', but survival times are numbers, 0 or more> spicymkl_train (K, -abs (y), struct ('event', y > 0))
%!error <options.multi_class has no effect on two classes> spicymkl_train (K, y, struct ('multi_class', 'joint'))
%!error <options.multi_class has no effect on numbers> spicymkl_train (K, X(:,1), struct ('multi_class', 'joint'))
%!error <loss hinge tells two classes apart, but multi_class is joint>
%! spicymkl_train (K, 1 + (X(:,1) > 0) + (X(:,2) > 0), struct ('loss', 'hinge', 'multi_class', 'joint'));
%!error <multi_class 'all' is not known; give auto, joint or ovr> spicymkl_train (K, y, struct ('multi_class', 'all'))
%!error <device is 'gpu', but it must be cpu, cuda or auto> spicymkl_train (K, y, struct ('device', 'gpu'))
%!error <Gram matrices must be N x N x M or N x N; for a table> spicymkl_train (X, y)
%!error <K holds no Gram matrix> spicymkl_train ([], y)
%!error <K holds no Gram matrix> spicymkl_train ({}, y)
%!error <K\{2\} is 3 x 3, but K\{1\} is 60 x 60> spicymkl_train ({K(:,:,1), K(1:3,1:3,1)}, y)
%!error <K is a sparse matrix; give full \(K\)> spicymkl_train (sparse (K(:,:,1)), y)
%!error <K has complex numbers> spicymkl_train (1i * K, y)
%!error <K is 'abc', but it must be an array of numbers> spicymkl_train ('abc', y)
%!error <K is a 1 x 1 struct array, but it must be an array of numbers> spicymkl_train (struct (), y)
%!error <kernel 4 has nan at row 3, column 2; every entry must be a finite number>
%! bad = K;  bad(3,2,4) = NaN;
%! spicymkl_train (bad, y);
%!error <kernel 2 has -inf at row 5, column 7; every entry>
%! bad = K;  bad(5,7,2) = -Inf;
%! spicymkl_train ({bad(:,:,1), bad(:,:,2)}, y, struct ('psd', 'clip'));
%!error <is not symmetric> spicymkl_train (K .* triu (ones (60)), y)
%!error <kernel 2 is not symmetric: entry \(5, 7\) is 99 but entry \(7, 5\) is 0\.\d+; use \(K \+ K'\)/2>
%! bad = K;  bad(5,7,2) = 99;
%! spicymkl_train (bad, y);
%!error <kernel 2 is not positive semi-definite: its diagonal entry 5 is -99;>
%! bad = K;  bad(5,5,2) = -99;
%! spicymkl_train (bad, y);
%!error <kernel 2 is not positive semi-definite: \|K\(5, 7\)\| = 99 exceeds sqrt\(K\(5, 5\) K\(7, 7\)\)>
%! bad = K;  bad(5,7,2) = bad(7,5,2) = 99;
%! spicymkl_train (bad, y);
%!error <repaired by clip, flip or shift: options.psd$> spicymkl_train (-K, y)
%!error <y holds 3 labels, but the Gram matrices have 60 rows> spicymkl_train (K, y(1:3))
%!error <y has shape \(30, 2\), but it must be one column> spicymkl_train (K, reshape (y, 30, 2))
%!error <y holds 0 labels> spicymkl_train (K, [])
%!error <label of sample 2 is nan> spicymkl_train (K, [1; NaN; y(3:end)])
%!error <all 60 rows have the one class '1'> spicymkl_train (K, ones (60, 1))
%!error <give options.task classification or options.task regression> spicymkl_train (K, mod (1:60, 4))
%!error <y is 'abc', but it must be an array of numbers, or a cell array of strings> spicymkl_train (K, 'abc')
%!error <y\{1\} is 3, but it must be a string> spicymkl_train (K, num2cell (3 * y .^ 2))
%!error <weights must be above 0> spicymkl_train (K, y, struct ('weights', -ones (60, 1)))
%!error <holds 2 weights, but> spicymkl_train (K, y, struct ('weights', [1, 2]))
%!error <column 'x0': the cell is missing .* options.impute median> spicymkl_train (X * NaN, y, struct ('kernels', 'auto'))
%!error <is neither a preset> spicymkl_train (X, y, struct ('kernels', 'nope'))
%!error <the kernel list is empty: give at least one kernel>
%! spicymkl_train (X, y, struct ('kernels', struct ('type', {})));
%!error <kernel 1 of options.kernels: columns are given as numbers; give their names>
%! spicymkl_train (X, y, struct ('kernels', {{struct('type', 'linear', 'columns', [1, 2])}}));
%!error <kernel 2 of options.kernels: width must be finite numbers>
%! spicymkl_train (X, y, struct ('kernels', {{struct('type', 'linear'), struct('type', 'gaussian', 'width', NaN)}}));
%!error <kernel 1 of options.kernels: type is of class function_handle>
%! spicymkl_train (X, y, struct ('kernels', {{struct('type', @sin)}}));
%!error <y has the whole number 9007199254740993, beyond those that double precision holds \(2\^53\)>
%! spicymkl_train (K, [int64(9007199254740993); int64(y(2:end))]);
%!error <threads is 1000000000, but it must be at most 4096; 0 takes all cores> spicymkl_train (K, y, struct ('threads', 1e9))
%!error <has 1 name, but X has 3 columns> spicymkl_train (X, y, struct ('kernels', 'auto', 'columns', {{'a'}}))
%!error <has 'a' twice> spicymkl_train (X, y, struct ('kernels', 'auto', 'columns', {{'a', 'a', 'b'}}))
