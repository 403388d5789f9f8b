{{/* Headless for gRPC: its name gives the addresses of all ready pods, and clients spread their calls over them. */}}
{{- define "tally.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
  {{- $values := index .root.Values.services .service }}
  {{- with $values.serviceAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ $values.serviceType | default "ClusterIP" }}
  {{- if ne .service "gateway" }}
  clusterIP: None
  {{- end }}
  {{- with .root.Values.network.ipFamilyPolicy }}
  ipFamilyPolicy: {{ . }}
  {{- end }}
  {{- with .root.Values.network.ipFamilies }}
  ipFamilies: {{- toYaml . | nindent 4 }}
  {{- end }}
  selector: {{- include "tally.selector" . | nindent 4 }}
  ports:
    - { name: {{ include "tally.portName" . }}, port: {{ include "tally.port" . }}, targetPort: {{ include "tally.portName" . }} }
    - { name: metrics, port: {{ include "tally.metricsPort" . }}, targetPort: metrics }
{{- end }}

{{- define "tally.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
  {{- with (include "tally.podValue" (merge (dict "key" "serviceAccountAnnotations") .) | fromJson).value }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end }}

{{/* Copies by how busy their processors are, if services.<service>.scaling says how many. */}}
{{- define "tally.scaling" -}}
{{- with (index .root.Values.services .service).scaling }}
{{- if .enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "tally.name" $ }}
  labels: {{- include "tally.labels" $ | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "tally.name" $ }} }
  minReplicas: {{ .replicasMin }}
  maxReplicas: {{ .replicasMax }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .cpuPercent }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "tally.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
spec:
  {{- $own := (index .root.Values.services .service).podDisruptionBudget | default dict }}
  maxUnavailable: {{ $own.maxUnavailable | default (ternary "25%" 1 (eq .service "direct-runner")) }}
  {{- if semverCompare ">=1.27-0" .root.Capabilities.KubeVersion.Version }}
  # a pod that is not ready does no work, and keeps no node from being drained
  unhealthyPodEvictionPolicy: AlwaysAllow
  {{- end }}
  selector:
    matchLabels: {{- include "tally.selector" . | nindent 6 }}
{{- end }}
