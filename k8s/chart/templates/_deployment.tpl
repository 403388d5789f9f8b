{{/* The restricted profile of Kubernetes' pod security standards, and a read-only root. */}}
{{- define "tally.podSecurity" -}}
runAsNonRoot: true
{{- /* else the namespace gives them: OpenShift */}}
{{- with .root.Values.pods.userId }}
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
{{- end }}
seccompProfile: { type: RuntimeDefault }
{{- end }}
{{- define "tally.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Secrets the service reads, as keys of its Secret: all that its code requires, and the optional ones asked for. */}}
{{- define "tally.secretKeys" -}}
{{- $facts := include "tally.facts" . | fromJson -}}
{{- $values := index .root.Values.services .service -}}
{{- $keys := list -}}
{{- range $facts.secrets -}}
{{- if or .isRequired (has .key ($values.optionalSecrets | default list)) -}}
{{- $keys = append $keys . -}}
{{- end -}}
{{- end -}}
{{- dict "keys" $keys | toJson -}}
{{- end }}

{{/*
Versions of the Secrets it reads, as the cluster counts them: an upgrade of the release replaces pods whose secrets have changed. Empty where
helm does not ask a cluster (helm template, Argo CD).
*/}}
{{- define "tally.secretVersions" -}}
{{- $names := list -}}
{{- range (include "tally.secretKeys" . | fromJson).keys -}}
{{- $names = append $names (include "tally.secretRef" (merge (dict "key" .key) $) | fromJson).name -}}
{{- end -}}
{{- $versions := list -}}
{{- range $names | uniq | sortAlpha -}}
{{- with lookup "v1" "Secret" $.root.Release.Namespace . -}}
{{- $versions = append $versions .metadata.resourceVersion -}}
{{- end -}}
{{- end -}}
{{- join "." $versions -}}
{{- end }}

{{/*
(dict "root" $ "service" "jobs" "keys" (list …)): lines that name the Secrets and keys that are not there. Empty where helm sees no Secret of the
namespace: it does not ask a cluster then (helm template, Argo CD), or nothing has been made yet.
*/}}
{{- define "tally.missingSecrets" -}}
{{- if (lookup "v1" "Secret" .root.Release.Namespace "" | default dict).items -}}
{{- range .keys -}}
{{- $ref := include "tally.secretRef" (merge (dict "key" .) $) | fromJson -}}
{{- $secret := lookup "v1" "Secret" $.root.Release.Namespace $ref.name | default dict -}}
{{- if not (hasKey ($secret.data | default dict) $ref.key) }}
  {{ $.service }} needs key {{ $ref.key }} of Secret {{ $ref.name }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "tally.probes" -}}
{{- if eq .service "gateway" -}}
startupProbe:
  httpGet: { path: /livez, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /livez, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  # not /readyz: with one of its dependencies down, the others must stay reachable; alert rules look at the rest
  httpGet: { path: /livez, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
{{- else -}}
startupProbe:
  grpc: { port: {{ include "tally.healthPort" . }}, service: liveness }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  grpc: { port: {{ include "tally.healthPort" . }}, service: liveness }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  grpc: { port: {{ include "tally.healthPort" . }}, service: readiness }
  periodSeconds: 5
  timeoutSeconds: 3
{{- end -}}
{{- end }}

{{- define "tally.deployment" -}}
{{- $facts := include "tally.facts" . | fromJson -}}
{{- $values := index .root.Values.services .service -}}
{{- $secrets := (include "tally.secretKeys" . | fromJson).keys -}}
{{- $files := list -}}
{{- range $secrets -}}{{- if ne .key "callers" -}}{{- $files = append $files .key -}}{{- end -}}{{- end -}}
{{- $env := include "tally.extraEnv" . | trim -}}
{{- $mounts := printf "%s\n%s" (include "tally.tlsMount" . | trim) (include "tally.extraMounts" . | trim) | trim -}}
{{- $volumes := printf "%s\n%s" (include "tally.tlsVolume" . | trim) (include "tally.extraVolumes" . | trim) | trim -}}
{{- $spread := (include "tally.podValue" (merge (dict "key" "topologySpread") .) | fromJson).value -}}
{{- $drainSeconds := int ($values.drainSeconds | default 5) -}}
{{- $drainMs := index (include "tally.settings" . | fromYaml) (printf "%s_DRAIN_MS" $facts.prefix) | default "0" | int64 -}}
{{- $workSeconds := div (add $drainMs 999) 1000 -}}
{{- $hasHost := include "tally.hasSimulatorHost" . -}}
{{- $isScaled := or (and (eq .service "direct-runner") .root.Values.autoscaling.enabled) (dig "enabled" false ($values.scaling | default dict)) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
  {{- with (include "tally.podValue" (merge (dict "key" "deploymentAnnotations") .) | fromJson).value }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- if not $isScaled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  # one by one, a new pod first: there are never fewer than before. Runners fill their nodes: a new one has room when an old one goes
  {{- $isRunner := eq .service "direct-runner" }}
  {{- $usual := ternary (dict "maxSurge" 0 "maxUnavailable" "25%") (dict "maxSurge" 1 "maxUnavailable" 0) $isRunner }}
  strategy:
    type: RollingUpdate
    rollingUpdate: {{- toYaml (mergeOverwrite $usual ($values.strategy | default dict)) | nindent 6 }}
  {{- if $isRunner }}
  # an old runner may finish its task first
  progressDeadlineSeconds: {{ add $drainSeconds $workSeconds 665 }}
  {{- end }}
  selector:
    matchLabels: {{- include "tally.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "tally.podLabels" . | nindent 8 }}
        {{- with include "tally.extraLabels" . | trim }}{{ . | nindent 8 }}{{ end }}
      annotations:
        checksum/config: {{ include "tally.settings" . | sha256sum }}
        {{- with include "tally.secretVersions" . }}
        tally/secret-versions: {{ . | quote }}
        {{- end }}
        {{- if $hasHost }}
        kubectl.kubernetes.io/default-container: {{ .service }}
        {{- end }}
        {{- with (include "tally.podValue" (merge (dict "key" "podAnnotations") .) | fromJson).value }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "tally.name" . }}
      automountServiceAccountToken: false
      # or Kubernetes sets JOBS_PORT=tcp://… beside our settings, which a service refuses to start with
      enableServiceLinks: false
      # until nobody sends to it, the work it lets end, at most 60 s that a stop takes (service-kit's runService), and some to spare
      terminationGracePeriodSeconds: {{ add $drainSeconds $workSeconds 65 }}
      securityContext: {{- include "tally.podSecurity" . | nindent 8 }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets: {{- range . }}
        - name: {{ . }}
      {{- end }}
      {{- end }}
      topologySpreadConstraints:
        {{- range $spread | default (list (dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway")) }}
        - {{ toYaml . | nindent 10 | trim }}
          labelSelector:
            matchLabels: {{- include "tally.selector" $ | nindent 14 }}
          {{- if semverCompare ">=1.27-0" $.root.Capabilities.KubeVersion.Version }}
          # or an upgrade counts the pods that it replaces, and leaves its own on one node
          matchLabelKeys: [pod-template-hash]
          {{- end }}
        {{- end }}
      {{- with include "tally.placement" . | trim }}{{ . | nindent 6 }}{{ end }}
      {{- if $hasHost }}
      initContainers:
        {{- include "tally.hostInstaller" . | nindent 8 }}
      {{- end }}
      containers:
        {{- if $hasHost }}
        # first: the runner waits for it, and its image may be large
        {{- include "tally.simulatorHost" . | nindent 8 }}
        {{- end }}
        - name: {{ .service }}
          image: {{ include "tally.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext: {{- include "tally.containerSecurity" . | nindent 12 }}
          ports:
            - { name: {{ include "tally.portName" . }}, containerPort: {{ include "tally.port" . }} }
            - { name: metrics, containerPort: {{ include "tally.metricsPort" . }} }
          envFrom:
            - configMapRef: { name: {{ include "tally.name" . }} }
          {{- if or $secrets $env }}
          env:
            {{- with $env }}{{ . | nindent 12 }}{{ end }}
            {{- range $secrets }}
            {{- if eq .key "callers" }}
            - name: {{ .variable }}
              valueFrom:
                secretKeyRef: {{ include "tally.secretRef" (merge (dict "key" "callers") $) }}
            {{- else }}
            - { name: {{ .variable }}_FILE, value: {{ include "tally.secretDir" $ }}/{{ .key }} }
            {{- end }}
            {{- end }}
          {{- end }}
          {{- include "tally.probes" . | nindent 10 }}
          lifecycle:
            preStop:
              exec: { command: [node, -e, "setTimeout(() => {}, {{ mul $drainSeconds 1000 }})"] }
          resources: {{- include "tally.resources" (dict "resources" $values.resources "folderSize" (ternary $values.workDirSize "" (not (empty $facts.workDir)))) | nindent 12 }}
          {{- if or $files $facts.workDir $mounts }}
          volumeMounts:
            {{- if $files }}
            - { name: secrets, mountPath: {{ include "tally.secretDir" . }}, readOnly: true }
            {{- end }}
            {{- if $facts.workDir }}
            - { name: work, mountPath: {{ include "tally.workDir" . }} }
            {{- end }}
            {{- if $hasHost }}
            {{- include "tally.hostMounts" . | nindent 12 }}
            {{- end }}
            {{- with $mounts }}{{ . | nindent 12 }}{{ end }}
          {{- end }}
        {{- with include "tally.extraContainers" . | trim }}{{ . | nindent 8 }}{{ end }}
      {{- if or $files $facts.workDir $volumes }}
      volumes:
        {{- if $files }}
        - name: secrets
          projected:
            defaultMode: 288 # 0440
            sources:
              {{- range $files }}
              {{- $ref := include "tally.secretRef" (merge (dict "key" .) $) | fromJson }}
              - secret: { name: {{ $ref.name }}, items: [{ key: {{ $ref.key }}, path: {{ . }} }] }
              {{- end }}
        {{- end }}
        {{- if $facts.workDir }}
        - name: work
          emptyDir: { sizeLimit: {{ $values.workDirSize }} }
        {{- end }}
        {{- if $hasHost }}
        {{- include "tally.hostVolumes" . | nindent 8 }}
        {{- end }}
        {{- with $volumes }}{{ . | nindent 8 }}{{ end }}
      {{- end }}
{{- end }}
