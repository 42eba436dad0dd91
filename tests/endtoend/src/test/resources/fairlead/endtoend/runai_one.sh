#!/bin/bash
# Submits one job: bash runai_one.sh job_name num_gpu "command"
# Fill in MY_WORK_DIR, CLUSTER_USER and CLUSTER_USER_ID.

MY_WORK_DIR=
MY_IMAGE=lab-python-ml:cuda10
CLUSTER_USER=
CLUSTER_USER_ID=
CLUSTER_GROUP_NAME=CVLAB-unit
CLUSTER_GROUP_ID=11166

arg_job_name=$1
arg_gpu=$2
arg_cmd=$3

runai submit $arg_job_name \
	-i $MY_IMAGE \
	--gpu $arg_gpu \
	--pvc runai-pv-cvlabdata1:/cvlabdata1 \
	--pvc runai-pv-cvlabdata2:/cvlabdata2 \
	--pvc runai-pv-cvlabsrc1:/cvlabsrc1 \
	--large-shm \
	-e CLUSTER_USER=$CLUSTER_USER \
	-e CLUSTER_USER_ID=$CLUSTER_USER_ID \
	-e CLUSTER_GROUP_NAME=$CLUSTER_GROUP_NAME \
	-e CLUSTER_GROUP_ID=$CLUSTER_GROUP_ID \
	-e TORCH_HOME="/cvlabsrc1/cvlab/pytorch_model_zoo" \
	--command -- /opt/lab/setup_and_run_command.sh "cd $MY_WORK_DIR && $arg_cmd"
