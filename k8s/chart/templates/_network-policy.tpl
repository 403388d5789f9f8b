{{- define "tally.peer" -}}
podSelector:
  matchLabels: {{- include "tally.selector" . | nindent 4 }}
{{- end }}

{{- define "tally.cidrs" -}}
{{- range . }}
- ipBlock: { cidr: {{ . }} }
{{- end }}
{{- end }}

{{/* Egress to PostgreSQL or RabbitMQ: (dict "root" $ "service" "trial-postgresql" "ports" (list 5432)). */}}
{{- define "tally.egressToServer" -}}
- to:
    {{- if .root.Values.trial.enabled }}
    - {{ include "tally.peer" . | nindent 6 | trim }}
    {{- else }}
    {{- include "tally.cidrs" .root.Values.networkPolicy.databaseCidrs | nindent 4 }}
    {{- end }}
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end }}

{{- define "tally.egressOutside" -}}
- to:
    {{- include "tally.cidrs" .cidrs | nindent 4 }}
  ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end }}

{{- define "tally.egressToNames" -}}
- to:
    - namespaceSelector: {}
      podSelector: { matchLabels: { k8s-app: kube-dns } }
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}

{{/* Exactly the callers of a service get in, and it gets out to exactly what it uses. */}}
{{- define "tally.networkPolicy" -}}
{{- $facts := include "tally.facts" . | fromJson -}}
{{- $policy := .root.Values.networkPolicy -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "tally.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if eq .service "gateway" }}
    - from:
        - namespaceSelector: { matchLabels: {{ toJson $policy.ingressNamespaceLabels }} }
      ports:
        - { protocol: TCP, port: http }
    {{- else if $facts.callers }}
    - from:
        {{- range $facts.callers }}
        - {{ include "tally.peer" (dict "root" $.root "service" .) | nindent 10 | trim }}
        {{- end }}
      ports:
        - { protocol: TCP, port: grpc }
    {{- end }}
    - from:
        - namespaceSelector: { matchLabels: {{ toJson $policy.monitoringNamespaceLabels }} }
      ports:
        - { protocol: TCP, port: metrics }
  egress:
    {{- include "tally.egressToNames" . | nindent 4 }}
    {{- range $facts.callees }}
    - to:
        - {{ include "tally.peer" (dict "root" $.root "service" .) | nindent 10 | trim }}
      ports:
        - { protocol: TCP, port: 7000 }
    {{- end }}
    {{- if $facts.hasDatabase }}
    {{- include "tally.egressToServer" (dict "root" .root "service" "trial-postgresql" "ports" (list $policy.databasePort)) | nindent 4 }}
    {{- end }}
    {{- if $facts.hasQueue }}
    {{- include "tally.egressToServer" (dict "root" .root "service" "trial-rabbitmq" "ports" $policy.brokerPorts) | nindent 4 }}
    {{- end }}
    {{- if and (eq .service "gateway") $policy.frontendNamespaceLabels }}
    - to:
        - namespaceSelector: { matchLabels: {{ toJson $policy.frontendNamespaceLabels }} }
      ports:
        {{- range $policy.frontendPorts }}
        - { protocol: TCP, port: {{ . }} }
        {{- end }}
    {{- end }}
    {{- if eq .service "auth" }}
    {{- include "tally.egressOutside" (dict "cidrs" $policy.realmCidrs "ports" $policy.realmPorts) | nindent 4 }}
    {{- else if eq .service "batch-bridge" }}
    {{- include "tally.egressOutside" (dict "cidrs" $policy.clusterCidrs "ports" $policy.clusterPorts) | nindent 4 }}
    {{- end }}
{{- end }}
