#!/bin/sh
# One job from registration to deletion with nothing but curl, the part of the worker included.
#
#   TALLY_URL=http://127.0.0.1:8080 UPDATE_KEY_FILE=/path/to/key examples/curl/journey.sh
#
# TALLY_URL        where the gateway listens
# UPDATE_KEY_FILE  file with the update key that the deployment shares with its workers (JOBS_UPDATE_KEY_SHARED); the
#                  deployment should have no runners of its own, or they do the work before this script does
#
# Cookies are marked Secure; curl keeps them over plain http for a loopback address only if it is new (7.79) and the
# gateway runs with GATEWAY_COOKIE_SECURE=false, as a development gateway does.
set -eu

url=${TALLY_URL:?say where the gateway is}
key=$(cat "${UPDATE_KEY_FILE:?name the file with the update key}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# call STATUS METHOD PATH [BODY]: sends BODY as JSON, prints the answer, and ends the script on any other status.
# The body goes through standard input: an update key or a password on a command line could be read by everybody.
call() {
  expected=$1 method=$2 path=$3 body=${4-}
  if [ -n "$body" ]; then
    status=$(printf '%s' "$body" | curl -sS -X "$method" "$url$path" -H 'Content-Type: application/json' --data-binary @- \
      -b "$work/cookies" -c "$work/cookies" -o "$work/answer" -w '%{http_code}')
  else
    status=$(curl -sS -X "$method" "$url$path" -b "$work/cookies" -c "$work/cookies" -o "$work/answer" -w '%{http_code}')
  fi
  printf '%s %s %s\n' "$method" "$path" "$status" >&2
  if [ "$status" != "$expected" ]; then
    printf 'expected %s: ' "$expected" >&2
    cat "$work/answer" >&2
    exit 1
  fi
  cat "$work/answer"
}

# field NAME: the text of a member of the JSON object on standard input; enough for the answers of this script.
field() {
  sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"
}

# expect TEXT: the JSON on standard input must hold it.
expect() {
  cat >"$work/seen"
  grep -qF "$1" "$work/seen" && return
  printf 'expected %s in: ' "$1" >&2
  cat "$work/seen" >&2
  exit 1
}

echo '1. a user registers and logs in' >&2
user="curl-$$-$(date +%s)"
password="correct horse $(od -An -N8 -tx8 /dev/urandom | tr -d ' ')"
call 201 PUT /auth/register "{\"username\":\"$user\",\"password\":\"$password\"}" >/dev/null
call 202 POST /auth/login "{\"username\":\"$user\",\"password\":\"$password\"}" >/dev/null
call 200 GET /auth/status | expect "\"username\":\"$user\""

echo '2. and submits a project in two tasks' >&2
project=$(cat "$here/../proton-150mev-water.json")
job=$(call 202 POST /jobs/direct \
  "{\"sim_type\":\"simA\",\"input_type\":\"editor\",\"ntasks\":2,\"title\":\"By curl\",\"sim_data\":$project}" | field job_id)
call 200 GET "/jobs/direct?job_id=$job" | expect '"job_state":"PENDING"'

who="\"simulation_id\":\"$job\",\"update_key\":\"$key\""
values='{"values":[1.5,2.5],"errors":[0.1,null],"dimensions":[[0.5,1.5]],"unit":"MeV/g","axes":[{"name":"Z","unit":"cm"}]}'
estimators="[{\"name\":\"Depth dose\",\"pages\":[{\"page_number\":1,\"name\":\"Dose\",\"data\":$values}]}]"

echo '3. a worker begins both tasks and reports how far it is' >&2
for task in 1 2; do
  call 202 POST /tasks "{$who,\"task_id\":$task,\"update_dict\":{\"task_state\":\"RUNNING\",\"celery_id\":\"curl-$task\",
    \"start_time\":\"$(date -u '+%Y-%m-%d %H:%M:%S.000000')\"}}" | expect '"applied":true'
  call 202 POST /tasks "{$who,\"task_id\":$task,\"update_dict\":{\"celery_id\":\"curl-$task\",
    \"simulated_primaries\":10,\"estimated_time\":90}}" | expect '"cancel":false'
done
call 200 GET "/jobs/direct?job_id=$job" | expect '"job_state":"RUNNING"'

echo '4. ships its logs' >&2
call 202 POST /logfiles "{$who,\"logfiles\":{\"task_1\":\"first line\\n\"}}" | expect '"applied":true'
call 202 POST /logfiles "{$who,\"logfiles\":{\"task_1\":\"second line\\n\"},\"offsets\":{\"task_1\":11}}" >/dev/null
call 200 GET "/logfiles?job_id=$job" | expect '"task_1":"first line\nsecond line\n"'

echo '5. ends the tasks; a repeat is answered like the first time, anything else comes too late' >&2
for task in 1 2; do
  end="{$who,\"task_id\":$task,\"update_dict\":{\"task_state\":\"COMPLETED\",\"end_time\":\"2030-01-02 03:04:05.678901\"}}"
  call 202 POST /tasks "$end" | expect '"applied":true'
  call 202 POST /tasks "$end" | expect '"applied":true'
  call 202 POST /tasks "{$who,\"task_id\":$task,\"update_dict\":{\"task_state\":\"CANCELED\"}}" | expect '"applied":false'
done
call 200 GET "/jobs/direct?job_id=$job" | expect '"job_state":"MERGING_QUEUED"'

echo '6. merges, and delivers the final results' >&2
call 202 POST /jobs "{\"sim_id\":\"$job\",\"update_key\":\"$key\",\"job_state\":\"MERGING_RUNNING\"}" | expect '"applied":true'
call 401 POST /results "{\"simulation_id\":\"$job\",\"update_key\":\"wrong\",\"estimators\":$estimators}" >/dev/null
call 202 POST /results "{$who,\"estimators\":$estimators}" | expect '"applied":true'

echo '7. the user sees them' >&2
call 200 GET "/jobs?job_id=$job" | expect '"job_state":"COMPLETED"'
call 200 GET "/estimators?job_id=$job" | expect '"dimensions":[2]'
call 200 GET "/results?job_id=$job&estimator_name=Depth%20dose&page_numbers=1-3" | expect '"values":[1.5,2.5]'
call 200 GET "/inputs?job_id=$job" | expect '"input_type":"editor"'
call 200 GET '/user/simulations?page_size=5&job_state=COMPLETED' | expect "\"job_id\":\"$job\""

echo '8. deletes the job and logs out' >&2
call 200 DELETE "/user/simulations?job_id=$job" >/dev/null
call 404 GET "/jobs?job_id=$job" >/dev/null
call 401 POST /jobs "{\"sim_id\":\"$job\",\"update_key\":\"$key\",\"job_state\":\"FAILED\"}" >/dev/null
call 200 DELETE /auth/logout >/dev/null
call 401 GET /auth/status >/dev/null
echo 'done' >&2
