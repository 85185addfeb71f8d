#!/bin/bash
#SBATCH --job-name=${NAME}
#SBATCH --nodes=${NODES}
#SBATCH --ntasks-per-node=1
# What all ranks of a node share:
#SBATCH --cpus-per-task=4
#SBATCH --gpus-per-node=${CARDS} #if cards
# The cards of a node: --gpus-per-node=N, or --gres=... as your site calls them. #if !cards
# Your site's: --partition, --account, and the time that the job may take.
#SBATCH --time=01:00:00
#SBATCH --signal=TERM@${SECONDS}
#SBATCH --requeue
#SBATCH --open-mode=append
# Where srun runs containers with pyxis: add --container-image=${IMAGE} to it. #if image
# Add --rank-table FILE: nobody else on Slurm knows the cards of other nodes. #if needs-table
# Without a key in ~/.ssh that all nodes see: add -o shared-directory=DIR. #if needs-keys
srun --ntasks-per-node=1 --cpus-per-task="$SLURM_CPUS_PER_TASK" \
  ${LINE}
