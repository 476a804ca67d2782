#!/bin/bash
# Four shares of one exploration as a job array:
#   sbatch --wait slurm-array.sh
#   linkcond report merge share-*.jsonl
# Slurm tells each task its share. A share that has findings exits with 1; that is a result, so the
# task succeeds all the same, and the merge decides.
#SBATCH --job-name=linkcond-explore
#SBATCH --array=1-4
#SBATCH --output=share-%a.log

linkcond explore --shard env --seed 1 --report "share-$SLURM_ARRAY_TASK_ID.jsonl" \
    --effects fin,rst -- wget -q -t 3 --waitretry=0 -c -O '{out}' '{url}/bytes/100000'
code=$?
test $code -le 2
