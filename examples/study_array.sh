#!/bin/sh
# A study as an array of SLURM jobs. Each job does its share of the tasks; one that was killed is submitted again and
# does what is missing. When all are done, `spicymkl merge results` puts the parts together.
#
#   sbatch --array=1-20 examples/study_array.sh
#
#SBATCH --job-name=study
#SBATCH --cpus-per-task=4
#SBATCH --mem=12G
#SBATCH --time=02:00:00
#SBATCH --output=study-%A-%a.log

# Without SLURM: SHARDS=4 SHARD=1 sh examples/study_array.sh
number=${SLURM_ARRAY_TASK_ID:-${SHARD:-1}}
count=${SLURM_ARRAY_TASK_COUNT:-${SHARDS:-1}}

# One thread per task: as many tasks side by side as the job has cores, each with 2G for its kernels.
exec "${SPICYMKL:-spicymkl}" study "${DATA:-data.csv}" --target "${TARGET:-y}" -o "${RESULTS:-results}" \
  --repeats 100 --stability 50 --permutations 100 \
  --threads "${SLURM_CPUS_PER_TASK:-0}" --memory 2G --shard "$number/$count"
