{{/*
All settings of a service that are no secrets: defaults of its code, then what the chart knows (addresses), then
services.<service>.settings.
*/}}
{{- define "tally.settings" -}}
{{- $facts := include "tally.facts" . | fromJson -}}
{{- $values := index .root.Values.services .service -}}
{{- $settings := deepCopy $facts.settings -}}
{{- $_ := set $settings (printf "%s_LISTEN_ADDRESS" $facts.prefix) (printf "0.0.0.0:%s" (include "tally.port" .)) -}}
{{- $_ := set $settings (printf "%s_METRICS_ADDRESS" $facts.prefix) (printf "0.0.0.0:%s" (include "tally.metricsPort" .)) -}}
{{- range $variable, $dependency := $facts.dependencies -}}
{{- if or (index $.root.Values.services $dependency).enabled (not (has $variable $facts.optionalDependencies)) -}}
{{- $name := include "tally.name" (dict "root" $.root "service" $dependency) -}}
{{- /* dns:/// resolves to all pods of a headless service, and clients spread their calls over them */ -}}
{{- $_ := set $settings $variable (printf "dns:///%s:7000" $name) -}}
{{- end -}}
{{- end -}}
{{- /* where nodes of clusters reach the gateway: through the ingress */ -}}
{{- if and (eq .service "batch-bridge") .root.Values.ingress.enabled -}}
{{- $host := .root.Values.ingress.workersHost | default .root.Values.ingress.host -}}
{{- $_ := set $settings "BATCH_GATEWAY_URL" (printf "%s://%s" (ternary "https" "http" (ne .root.Values.ingress.tlsSecretName "")) $host) -}}
{{- end -}}
{{- if $facts.workDir -}}
{{- $_ := set $settings $facts.workDir (include "tally.workDir" .) -}}
{{- end -}}
{{- toYaml (mergeOverwrite $settings ($values.settings | default dict)) -}}
{{- end }}

{{- define "tally.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
data: {{- include "tally.settings" . | nindent 2 }}
{{- end }}
