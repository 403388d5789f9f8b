{{/* Headless for gRPC: its name gives the addresses of all ready pods, and clients spread their calls over them. */}}
{{- define "tally.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
spec:
  type: ClusterIP
  {{- if ne .service "gateway" }}
  clusterIP: None
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
automountServiceAccountToken: false
{{- end }}

{{- define "tally.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "tally.selector" . | nindent 6 }}
{{- end }}
