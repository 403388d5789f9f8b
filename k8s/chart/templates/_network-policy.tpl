{{- define "tally.peer" -}}
podSelector:
  matchLabels: {{- include "tally.selector" . | nindent 4 }}
{{- end }}

{{- define "tally.cidrs" -}}
{{- range . }}
- ipBlock: { cidr: {{ . }} }
{{- end }}
{{- end }}

{{/* Peers by labels of their namespace and pods, `[{namespaceLabels, podLabels}]`. No namespaceLabels: this namespace. */}}
{{- define "tally.selectedPeers" -}}
{{- range . }}
{{- if or .namespaceLabels .podLabels }}
- {{ with .namespaceLabels }}namespaceSelector: { matchLabels: {{ toJson . }} }
  {{ end }}podSelector: { matchLabels: {{ .podLabels | default dict | toJson }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "tally.egressToDatabase" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- include "tally.egressToServer" (dict "root" .root "service" "trial-postgresql" "cidrs" $policy.databaseCidrs "peers" $policy.databasePods "ports" (list $policy.databasePort)) -}}
{{- end }}
{{- define "tally.egressToBroker" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- $cidrs := $policy.brokerCidrs | default $policy.databaseCidrs -}}
{{- if and $policy.brokerPods (not $policy.brokerCidrs) -}}{{- $cidrs = list -}}{{- end -}}
{{- include "tally.egressToServer" (dict "root" .root "service" "trial-rabbitmq" "cidrs" $cidrs "peers" $policy.brokerPods "ports" $policy.brokerPorts) -}}
{{- end }}

{{- define "tally.egressToServer" -}}
{{- if not (or .root.Values.trial.enabled .cidrs .peers) -}}
{{- fail "networkPolicy: give databaseCidrs or databasePods (brokerCidrs or brokerPods): a rule without either would open everything" -}}
{{- end -}}
- to:
    {{- if .root.Values.trial.enabled }}
    - {{ include "tally.peer" . | nindent 6 | trim }}
    {{- else }}
    {{- include "tally.cidrs" .cidrs | nindent 4 }}
    {{- include "tally.selectedPeers" .peers | nindent 4 }}
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
{{- $dns := .root.Values.networkPolicy.dns -}}
- to:
    {{- include "tally.selectedPeers" $dns.pods | nindent 4 }}
    {{- include "tally.cidrs" $dns.cidrs | nindent 4 }}
  ports:
    {{- range $dns.ports }}
    - { protocol: UDP, port: {{ . }} }
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
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
    - ports:
        - { protocol: TCP, port: http }
      {{- if or $policy.ingressPods $policy.ingressCidrs }}
      from:
        {{- include "tally.selectedPeers" $policy.ingressPods | nindent 8 }}
        {{- include "tally.cidrs" $policy.ingressCidrs | nindent 8 }}
        # helm test
        - {{ include "tally.peer" (dict "root" .root "service" "test") | nindent 10 | trim }}
      {{- end }}
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
    {{- if .root.Values.traces.endpoint }}
    - to:
        - namespaceSelector: { matchLabels: {{ toJson $policy.monitoringNamespaceLabels }} }
      ports:
        - { protocol: TCP, port: {{ .root.Values.traces.port }} }
    {{- end }}
    {{- range $facts.callees }}
    - to:
        - {{ include "tally.peer" (dict "root" $.root "service" .) | nindent 10 | trim }}
      ports:
        - { protocol: TCP, port: 7000 }
    {{- end }}
    {{- if $facts.hasDatabase }}
    {{- include "tally.egressToDatabase" . | nindent 4 }}
    {{- end }}
    {{- if $facts.hasQueue }}
    {{- include "tally.egressToBroker" . | nindent 4 }}
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
    {{- if $policy.mailCidrs }}
    {{- include "tally.egressOutside" (dict "cidrs" $policy.mailCidrs "ports" $policy.mailPorts) | nindent 4 }}
    {{- end }}
    {{- else if and (eq .service "jobs") $policy.webhookCidrs }}
    {{- include "tally.egressOutside" (dict "cidrs" $policy.webhookCidrs "ports" $policy.webhookPorts) | nindent 4 }}
    {{- else if eq .service "batch-bridge" }}
    {{- include "tally.egressOutside" (dict "cidrs" $policy.clusterCidrs "ports" $policy.clusterPorts) | nindent 4 }}
    {{- else if and (eq .service "results") $policy.objectStoreCidrs }}
    {{- include "tally.egressOutside" (dict "cidrs" $policy.objectStoreCidrs "ports" $policy.objectStorePorts) | nindent 4 }}
    {{- end }}
{{- end }}
