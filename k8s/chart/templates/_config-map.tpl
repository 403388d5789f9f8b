{{/*
Settings of a service that are no secrets: what the chart knows (addresses), then
services.<service>.settings. Defaults are the code's: a service of another version than the chart may not know them all.
*/}}
{{- define "tally.settings" -}}
{{- $facts := include "tally.facts" . | fromJson -}}
{{- $values := index .root.Values.services .service -}}
{{- $settings := dict -}}
{{- $_ := set $settings (printf "%s_LISTEN_ADDRESS" $facts.prefix) (printf "%s:%s" (include "tally.anyAddress" .) (include "tally.port" .)) -}}
{{- $_ := set $settings (printf "%s_METRICS_ADDRESS" $facts.prefix) (printf "%s:%s" (include "tally.anyAddress" .) (include "tally.metricsPort" .)) -}}
{{- range $variable, $dependency := $facts.dependencies -}}
{{- if or (index $.root.Values.services $dependency).enabled (not (has $variable $facts.optionalDependencies)) -}}
{{- $name := include "tally.name" (dict "root" $.root "service" $dependency) -}}
{{- /* dns:/// resolves to all pods of a headless service, and clients spread their calls over them */ -}}
{{- $_ := set $settings $variable (printf "dns:///%s:7000" $name) -}}
{{- end -}}
{{- end -}}
{{- /* where nodes of clusters reach the gateway: through the ingress, or the route */ -}}
{{- $ingress := .root.Values.ingress -}}
{{- $route := .root.Values.httpRoute -}}
{{- if and (eq .service "batch-bridge") $ingress.enabled -}}
{{- $secret := ternary $ingress.workersTlsSecretName $ingress.tlsSecretName (ne $ingress.workersHost "") -}}
{{- if or $secret $ingress.workersWithoutTls -}}
{{- $_ := set $settings "BATCH_GATEWAY_URL" (printf "%s://%s" (ternary "https" "http" (ne $secret "")) ($ingress.workersHost | default $ingress.host)) -}}
{{- end -}}
{{- else if and (eq .service "batch-bridge") $route.enabled -}}
{{- $_ := set $settings "BATCH_GATEWAY_URL" (printf "https://%s" ($route.workersHost | default $route.host)) -}}
{{- end -}}
{{- if $facts.workDir -}}
{{- $_ := set $settings $facts.workDir (include "tally.workDir" .) -}}
{{- end -}}
{{- if include "tally.hasSimulatorHost" . -}}
{{- $_ := set $settings "RUNNER_CONFINEMENT" "container" -}}
{{- $_ := set $settings "RUNNER_HOST_CONTROL_DIR" (include "tally.hostControl" .) -}}
{{- $_ := set $settings "RUNNER_SLOTS" "1" -}}
{{- end -}}
{{- if .root.Values.grpcTls.enabled -}}
{{- $settings = mergeOverwrite $settings (include "tally.tlsSettings" . | fromYaml) -}}
{{- end -}}
{{- with .root.Values.traces -}}
{{- if .endpoint -}}
{{- $settings = mergeOverwrite $settings (dict "OTEL_EXPORTER_OTLP_ENDPOINT" .endpoint) .variables -}}
{{- end -}}
{{- end -}}
{{- /* a number of a YAML file is a float64 here, and its text would be 6.2e+07 */ -}}
{{- range $name, $value := $values.settings | default dict -}}
{{- $isWhole := and (kindIs "float64" $value) (eq (float64 (int64 $value)) $value) -}}
{{- $_ := set $settings $name (ternary (int64 $value | toString) (toString $value) $isWhole) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end }}

{{- define "tally.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "tally.name" . }}
  labels: {{- include "tally.labels" . | nindent 4 }}
data: {{- include "tally.settings" . | nindent 2 }}
{{- end }}
