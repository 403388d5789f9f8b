{{/* The restricted profile of Kubernetes' pod security standards, and a read-only root. */}}
{{- define "tally.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
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
  grpc: { port: 7000, service: liveness }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  grpc: { port: 7000, service: liveness }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  grpc: { port: 7000, service: readiness }
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
{{- $hasVolumes := or $files $facts.workDir $values.extraVolumes -}}
{{- $drainSeconds := int ($values.drainSeconds | default 5) -}}
{{- $isScaled := and (eq .service "direct-runner") .root.Values.autoscaling.enabled -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
spec:
  {{- if not $isScaled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  # one by one, a new pod first: there are never fewer than before
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels: {{- include "tally.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "tally.podLabels" . | nindent 8 }}
      annotations:
        checksum/config: {{ include "tally.settings" . | sha256sum }}
    spec:
      serviceAccountName: {{ include "tally.name" . }}
      automountServiceAccountToken: false
      # or Kubernetes sets JOBS_PORT=tcp://… beside our settings, which a service refuses to start with
      enableServiceLinks: false
      # the drain, then at most 60 s that a service takes to stop (service-kit's runUntilSignal), and some to spare
      terminationGracePeriodSeconds: {{ add $drainSeconds 65 }}
      securityContext: {{- include "tally.podSecurity" . | nindent 8 }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets: {{- range . }}
        - name: {{ . }}
      {{- end }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "tally.selector" . | nindent 14 }}
      {{- with $values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .service }}
          image: {{ include "tally.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext: {{- include "tally.containerSecurity" . | nindent 12 }}
          ports:
            - { name: {{ include "tally.portName" . }}, containerPort: {{ include "tally.port" . }} }
            - { name: metrics, containerPort: {{ include "tally.metricsPort" . }} }
          envFrom:
            - configMapRef: { name: {{ include "tally.name" . }} }
          {{- if $secrets }}
          env:
            {{- range $secrets }}
            {{- if eq .key "callers" }}
            - name: {{ .variable }}
              valueFrom:
                secretKeyRef: { name: {{ include "tally.secretName" $ }}, key: callers }
            {{- else }}
            - { name: {{ .variable }}_FILE, value: {{ include "tally.secretDir" $ }}/{{ .key }} }
            {{- end }}
            {{- end }}
          {{- end }}
          {{- include "tally.probes" . | nindent 10 }}
          lifecycle:
            preStop:
              exec: { command: [node, -e, "setTimeout(() => {}, {{ mul $drainSeconds 1000 }})"] }
          resources: {{- toYaml $values.resources | nindent 12 }}
          {{- if $hasVolumes }}
          volumeMounts:
            {{- if $files }}
            - { name: secrets, mountPath: {{ include "tally.secretDir" . }}, readOnly: true }
            {{- end }}
            {{- if $facts.workDir }}
            - { name: work, mountPath: {{ include "tally.workDir" . }} }
            {{- end }}
            {{- with $values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        {{- if $files }}
        - name: secrets
          secret:
            secretName: {{ include "tally.secretName" . }}
            defaultMode: 288 # 0440
            items:
              {{- range $files }}
              - { key: {{ . }}, path: {{ . }} }
              {{- end }}
        {{- end }}
        {{- if $facts.workDir }}
        - name: work
          emptyDir: { sizeLimit: {{ $values.workDirSize }} }
        {{- end }}
        {{- with $values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
          {{- end }}
{{- end }}
