function [alpha, d, b, activeset, supind, params, story] = SpicyMKL (K, yapp, C, options)
  % SpicyMKL  The call of Suzuki and Tomioka's own program, answered with proof.
  %
  %   [alpha, d, b, activeset, supind, params, story] = SpicyMKL (K, yapp, C, options)
  %
  % Scripts written for that program run unchanged and get the optimum of its problem:
  %   f(x) = sum over m of d(m) * k_m(x, :) * alpha + b
  %
  % K is N x N x M. yapp is N x 1: -1 and 1 for 'svm' and 'logit', numbers for 'square'. C is the strength of the
  % penalty C|x|, or with regname 'elasticnet' a pair: C(1)|x| + C(2)x^2/2.
  %
  % options is a struct with
  %   loss            'svm' max(0, 1 - y f), 'logit' log(1 + exp(-y f)), 'square' (y - f)^2/2
  %                   (default: 'logit' for two different labels, else 'square')
  %   regname         'l1' (default) or 'elasticnet'
  %   tolOuter        relative duality gap to reach (default 0.001). It is that of the answer itself, over all kernels
  %   outerMaxIter    outer iterations at most (default 500)
  %   display         1 prints nothing, 2 or 3 one line per outer iteration (default 2)
  %   stopdualitygap  1, stopIneqViolation 0, innerOptMeth 'Newton': what is done always; other values are refused
  %   tolInner        no effect, with a warning: inner minimisations are as exact as the proof needs
  % innerMaxIter and calpha are refused: leave them out.
  %
  % alpha is N x 1; d is M x 1 and sums to 1, or is 0 where no kernel is selected; activeset are the kernels with a
  % weight; supind the support vectors ('svm') or all samples. params has C, loss and model, which is that of
  % spicymkl_train. story has a value per outer iteration: primalobj, mod_dualobj, len_active, dualitygap, elapsedtime.
  %
  % See also: spicymkl_train
  if nargin < 3 || nargin > 4
    error ('spicymkl:input', 'SpicyMKL takes kernels, labels, C and options: see help SpicyMKL');
  end
  if nargin < 4 || isempty (options)
    options = struct ();
  end
  if ~isnumeric (yapp) && ~islogical (yapp)
    error ('spicymkl:input', 'yapp is of class %s, but it must be an array of numbers', class (yapp));
  end
  options = with_defaults (options, yapp);
  classes = ~strcmp (options.loss, 'square');
  if classes && options.given_loss && ~all (ismember (yapp(:), [-1, 1]))
    error ('spicymkl:input', 'with the loss %s labels must be -1 and 1', options.loss);
  end
  ours = our_options (options, C);
  model = spicymkl_learn ('train', K, yapp, ours);
  [alpha, d] = normalized (model);
  b = model.intercept;
  activeset = model.active_kernels;
  supind = (1:numel (alpha))';
  if strcmp (options.loss, 'svm')
    supind = find (alpha ~= 0);
  end
  params = struct ('C', C, 'loss', options.loss, 'model', model);
  story = story_of (model.history, loss_scale (options.loss));
end

function options = with_defaults (options, yapp)
  % Every option, or an error that names one that cannot be had.
  if ~isstruct (options) || numel (options) ~= 1
    error ('spicymkl:input', 'options must be a struct, and one alone');
  end
  known = struct ('loss', '', 'regname', 'l1', 'tolOuter', [], 'tolInner', [], 'outerMaxIter', 500, 'display', 2, ...
                  'stopdualitygap', 1, 'stopIneqViolation', 0, 'innerOptMeth', 'Newton');
  names = fieldnames (options);
  for k = 1:numel (names)
    if ~isfield (known, names{k})
      error ('spicymkl:input', 'SpicyMKL does not support options.%s; leave it out', names{k});
    end
    known.(names{k}) = options.(names{k});
  end
  options = known;
  options.given_loss = ~isempty (options.loss);
  if ~options.given_loss
    losses = {'square', 'logit'};
    options.loss = losses{1 + (numel (unique (yapp)) == 2)};
  end
  refuse_other (options, 'loss', {'svm', 'logit', 'square'});
  refuse_other (options, 'regname', {'l1', 'elasticnet'});
  refuse_other (options, 'innerOptMeth', {'Newton'});
  refuse_no_number (options, 'tolOuter', 0);
  refuse_no_number (options, 'outerMaxIter', 0);
  if ~isempty (options.outerMaxIter) && (options.outerMaxIter ~= fix (options.outerMaxIter) || options.outerMaxIter >= 2^31)
    error ('spicymkl:input', 'options.outerMaxIter must be a whole number of at most 2147483647');
  end
  refuse_no_number (options, 'display', -1);
  if ~is_number (options.stopdualitygap, 1)
    error ('spicymkl:input', 'options.stopdualitygap must be 1: the duality gap is what ends the iterations');
  end
  if ~is_number (options.stopIneqViolation, 0)
    error ('spicymkl:input', 'options.stopIneqViolation must be 0: the duality gap is what ends the iterations');
  end
  if ~isempty (options.tolInner)
    warning ('spicymkl:note', 'options.tolInner has no effect: inner minimisations are as exact as the proof needs');
  end
end

function refuse_other (options, name, choices)
  value = options.(name);
  if ~ischar (value) || ~any (strcmp (value, choices))
    error ('spicymkl:input', 'options.%s must be %s', name, strjoin (strcat ('''', choices, ''''), ' or '));
  end
end

function refuse_no_number (options, name, bound)
  % Here, where it goes by their name.
  value = options.(name);
  if ~isempty (value) && ~(isnumeric (value) && isscalar (value) && isreal (value) && value > bound && value < Inf)
    error ('spicymkl:input', 'options.%s must be a number above %g', name, bound);
  end
end

function same = is_number (value, number)
  same = (isnumeric (value) || islogical (value)) && isequal (value, number);
end

function scale = loss_scale (loss)
  % How often our loss holds theirs: the square is (y - f)^2 here and half of that there.
  scale = 1 + strcmp (loss, 'square');
end

function ours = our_options (options, C)
  % Their words in ours. C(1)|x| + C(2)x^2/2 is alpha (r|x| + (1 - r)x^2/2) with alpha = C(1) + C(2), r = C(1)/alpha.
  names = struct ('svm', 'hinge', 'logit', 'logistic', 'square', 'squared');
  ours = struct ('loss', names.(options.loss), 'max_iter', options.outerMaxIter, 'verbose', options.display >= 2);
  if ~isempty (options.tolOuter)
    ours.tol = options.tolOuter;
  end
  pair = strcmp (options.regname, 'elasticnet');
  if ~isnumeric (C) || ~isreal (C) || numel (C) ~= 1 + pair || ~all (C >= 0) || ~(sum (C) > 0)
    wanted = {'a number above 0', 'two numbers of 0 or more, not both 0'};
    error ('spicymkl:input', 'with the penalty %s C must be %s', options.regname, wanted{1 + pair});
  end
  ours.alpha = loss_scale (options.loss) * sum (C);
  if pair && C(2) > 0
    ours.penalty = 'elasticnet';
    ours.l1_ratio = C(1) / sum (C);
  end
end

function [alpha, d] = normalized (model)
  % f = sum of coef_scale(m) K_m dual, with the scales made to sum to 1.
  total = sum (model.coef_scale);
  alpha = model.dual * total;
  d = model.coef_scale;
  if total > 0
    d = d / total;
  end
end

function story = story_of (history, scale)
  story = struct ('primalobj', history.primal' / scale, 'mod_dualobj', history.dual' / scale, ...
                  'len_active', history.n_active', 'dualitygap', history.gap', 'elapsedtime', history.seconds');
end

%!shared X, y, K, quiet
%! randn ('seed', 2);
%! X = randn (50, 3);
%! y = sign (X(:,1) + X(:,2) + 0.5 * randn (50, 1));
%! K = zeros (50, 50, 4);
%! for m = 1:3, K(:,:,m) = exp (-(X(:,m) - X(:,m)') .^ 2) / 50; end
%! K(:,:,4) = X * X' / 150;
%! quiet = struct ('display', 1, 'tolOuter', 1e-7);

%!function check_outputs (K, y, C, options, loss, penalty)
%!  % The outputs are the optimum of the problem that the program states, by its own formula.
%!  [alpha, d, b, activeset, supind, params, story] = SpicyMKL (K, y, C, options);
%!  f = b;
%!  for m = activeset, f = f + d(m) * K(:,:,m) * alpha; end
%!  norms = arrayfun (@(m) d(m) * sqrt (alpha' * K(:,:,m) * alpha), (1:numel (d))');
%!  primal = sum (loss (y, f)) + sum (penalty (norms));
%!  assert (sum (d), 1, 1e-12);
%!  assert (find (d > 0)', activeset);
%!  assert (size (alpha), size (y));
%!  assert (primal, story.primalobj(end), 1e-5 * primal);
%!  assert (story.dualitygap(end) <= 1e-7);
%!  assert (primal - story.mod_dualobj(end) <= 1e-5 * primal);
%!  assert (params.model.duality_gap <= 1e-7);
%!endfunction

%!test  % svm
%! options = quiet;  options.loss = 'svm';
%! check_outputs (K, y, 0.5, options, @(y, f) max (0, 1 - y .* f), @(x) 0.5 * x);
%! [alpha, ~, ~, ~, supind] = SpicyMKL (K, y, 0.5, options);
%! assert (supind, find (alpha));
%! assert (all (alpha .* y >= 0));

%!test  % logit, with and without naming it
%! named = quiet;  named.loss = 'logit';
%! check_outputs (K, y, 0.3, named, @(y, f) log1p (exp (-y .* f)), @(x) 0.3 * x);
%! assert (SpicyMKL (K, y, 0.3, quiet), SpicyMKL (K, y, 0.3, named));

%!test  % square, which is halved
%! options = quiet;  options.loss = 'square';
%! check_outputs (K, X(:,1), 0.2, options, @(y, f) (y - f) .^ 2 / 2, @(x) 0.2 * x);

%!test  % elastic net
%! options = quiet;  options.loss = 'logit';  options.regname = 'elasticnet';
%! check_outputs (K, y, [0.2, 0.1], options, @(y, f) log1p (exp (-y .* f)), @(x) 0.2 * x + 0.1 * x .^ 2 / 2);
%! net = SpicyMKL (K, y, [0.2, 0], options);
%! assert (net, SpicyMKL (K, y, 0.2, quiet));

%!test  % no kernel at all
%! [alpha, d, b, activeset] = SpicyMKL (K, y, 1e3, quiet);
%! assert (d, zeros (4, 1));
%! assert (alpha, zeros (50, 1));
%! assert (isempty (activeset));

%!warning <tolInner has no effect>  % options as the program's own examples set them
%! options = struct ('loss', 'logit', 'stopdualitygap', 1, 'stopIneqViolation', 0, 'tolOuter', 0.01, 'tolInner', 1e-4, ...
%!                   'display', 1);
%! [~, ~, ~, ~, ~, params] = SpicyMKL (K, y, 0.3, options);
%! assert (params.model.duality_gap <= 0.01);

%!error <takes kernels, labels, C> SpicyMKL (K, y)
%!error <does not support options.calpha> SpicyMKL (K, y, 1, struct ('calpha', 10))
%!error <does not support options.innerMaxIter> SpicyMKL (K, y, 1, struct ('innerMaxIter', 10))
%!error <options.stopIneqViolation must be 0> SpicyMKL (K, y, 1, struct ('stopIneqViolation', 1))
%!error <options.stopdualitygap must be 1> SpicyMKL (K, y, 1, struct ('stopdualitygap', 0))
%!error <options.innerOptMeth must be 'Newton'> SpicyMKL (K, y, 1, struct ('innerOptMeth', 'BFGS'))
%!error <options.loss must be 'svm' or 'logit' or 'square'> SpicyMKL (K, y, 1, struct ('loss', 'huber'))
%!error <options.regname must be 'l1' or 'elasticnet'> SpicyMKL (K, y, 1, struct ('regname', 'l2'))
%!error <options.tolOuter must be a number above 0> SpicyMKL (K, y, 1, struct ('tolOuter', -1))
%!error <options.outerMaxIter must be a number above 0> SpicyMKL (K, y, 1, struct ('outerMaxIter', 'a'))
%!error <options.outerMaxIter must be a whole number> SpicyMKL (K, y, 1, struct ('outerMaxIter', 1.5))
%!error <options.stopdualitygap must be 1> SpicyMKL (K, y, 1, struct ('stopdualitygap', {{}}))
%!error <options must be a struct, and one alone> SpicyMKL (K, y, 1, struct ('loss', {'svm', 'logit'}))
%!error <options.display must be a number> SpicyMKL (K, y, 1, struct ('display', {{1}}))
%!error <with the loss svm labels must be -1 and 1> SpicyMKL (K, y + 1, 1, struct ('loss', 'svm'))
%!error <C must be a number above 0> SpicyMKL (K, y, [1, 2], quiet)
%!error <C must be two numbers of 0 or more> SpicyMKL (K, y, 1, struct ('regname', 'elasticnet'))
%!error <yapp is of class cell> SpicyMKL (K, {'a'; 'b'}, 1)
%!error <K is 'abc'> SpicyMKL ('abc', y, 1, quiet)
