% Runs the tests of every function in the folder that it is given: octave-cli run_tests.m FOLDER
arguments = argv ();
folder = arguments{end};
addpath (folder);
files = dir (fullfile (folder, '*.m'));
n_failed = 0;
for k = 1:numel (files)
  name = files(k).name(1:end-2);
  [n_passed, n_tests] = test (name, 'quiet');
  if isempty (get_help_text (name)) || n_tests == 0
    printf ('%s has no help or no tests\n', name);
    n_failed += 1;
  end
  n_failed += n_tests - n_passed;
  printf ('%s: %d of %d tests passed\n', name, n_passed, n_tests);
end
exit (n_failed > 0);
