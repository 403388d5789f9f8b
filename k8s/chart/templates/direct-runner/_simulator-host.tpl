{{/*
The simulator host, the second container of a runner's pod: the site's image with its simulators, another user than the
runner, no secret. Its first process is our launcher, which the init container puts into a volume with Node, Node's libraries
and their loader, so that the image needs nothing of ours (docs/adr/0011, docs/operators-guide.md).
*/}}
{{- define "tally.hasSimulatorHost" -}}
{{- if and (eq .service "direct-runner") .root.Values.simulatorHost.enabled -}}true{{- end -}}
{{- end }}

{{- define "tally.hostTools" -}}/opt/tally{{- end }}
{{- define "tally.hostControl" -}}/control{{- end }}

{{- define "tally.hostInstaller" -}}
- name: install-simulator-host
  image: {{ include "tally.image" . }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  securityContext: {{- include "tally.containerSecurity" . | nindent 4 }}
  command:
    - node
    - /app/node_modules/@tally/launcher/dist/src/bin/install-simulator-host.js
    - {{ include "tally.hostTools" . }}
    - /app/node_modules/@tally/engine/dist/tally-engine.mjs
  resources:
    requests: { cpu: 50m, memory: 64Mi }
    limits: { memory: 256Mi }
  volumeMounts:
    - { name: host-tools, mountPath: {{ include "tally.hostTools" . }} }
{{- end }}

{{- define "tally.simulatorHost" -}}
{{- $host := .root.Values.simulatorHost -}}
{{- $tools := include "tally.hostTools" . -}}
- name: simulator-host
  image: {{ $host.image | default (include "tally.image" .) }}
  imagePullPolicy: {{ $host.pullPolicy }}
  securityContext:
    {{- include "tally.containerSecurity" . | nindent 4 }}
    # not the runner's, but of the same group: they share the folders of tasks, and nothing else
    {{- with $host.userId }}
    runAsUser: {{ . }}
    {{- end }}
    {{- with .root.Values.pods.userId }}
    runAsGroup: {{ . }}
    {{- end }}
  command:
    - {{ $tools }}/bin/loader
    - --library-path
    - {{ $tools }}/lib
    - {{ $tools }}/bin/node
    - {{ $tools }}/tally-simulator-host.mjs
  args: [--control, {{ include "tally.hostControl" . }}, --tasks, {{ include "tally.workDir" . }}/tasks, --temporary, /tmp, --temporary, /dev/shm]
  # whatever the image says
  env:
    - { name: NODE_OPTIONS, value: "" }
    - { name: LD_PRELOAD, value: "" }
  workingDir: /
  resources: {{- include "tally.resources" (dict "resources" $host.resources "folderSize" $host.tasksSize) | nindent 4 }}
  volumeMounts:
    - { name: host-tools, mountPath: {{ $tools }}, readOnly: true }
    - { name: control, mountPath: {{ include "tally.hostControl" . }}, readOnly: true }
    - { name: tasks, mountPath: {{ include "tally.workDir" . }}/tasks }
    - { name: temporary, mountPath: /tmp }
    - { name: shared-memory, mountPath: /dev/shm }
    {{- with $host.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{/* What the runner's container mounts of it. */}}
{{- define "tally.hostMounts" -}}
- { name: tasks, mountPath: {{ include "tally.workDir" . }}/tasks }
- { name: control, mountPath: {{ include "tally.hostControl" . }} }
{{- end }}

{{- define "tally.hostVolumes" -}}
{{- $host := .root.Values.simulatorHost -}}
- name: host-tools
  emptyDir: { sizeLimit: 512Mi }
- name: control
  emptyDir: { medium: Memory, sizeLimit: 1Mi }
- name: tasks
  emptyDir: { sizeLimit: {{ $host.tasksSize }} }
- name: temporary
  emptyDir: { medium: Memory, sizeLimit: {{ $host.temporarySize }} }
- name: shared-memory
  emptyDir: { medium: Memory, sizeLimit: {{ $host.temporarySize }} }
{{- end }}
