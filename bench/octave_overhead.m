% What a call from Octave costs beside the library's own work, at N samples and M kernels in memory:
%   octave-cli bench/octave_overhead.m [N M]        after ./dev octave
% Of five calls, the whole time of each, and the part that the library was not at work.
arguments = argv ();
sizes = [1000, 100];
if numel (arguments) >= 2
  sizes = cellfun (@str2double, arguments(end-1:end));
end
addpath (fullfile (fileparts (mfilename ('fullpath')), '..', 'build', 'octave'));
N = sizes(1);  M = sizes(2);
randn ('seed', 1);
X = randn (N, M);
y = sign (X(:,1) + X(:,2) .* X(:,3) + 0.5 * randn (N, 1));
K = zeros (N, N, M);
for m = 1:M
  K(:,:,m) = exp (-(X(:,m) - X(:,m)') .^ 2 / 2);
end
for k = 1:5
  tic;
  model = spicymkl_train (K, y);
  whole = toc;
  library = model.seconds + model.seconds_input;
  printf ('%.4f s, of them %.2f %% not in the library (training %.4f s, checks %.4f s)\n', whole, ...
          100 * (whole - library) / whole, model.seconds, model.seconds_input);
end
