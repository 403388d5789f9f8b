{{/* Every template below takes (dict "root" $ "service" "jobs"). */}}

{{/* Name of the objects of a service. */}}
{{- define "tally.name" -}}
{{- /* names of Services and labels have at most 63 characters, and -batch-bridge-migrate-999 is the longest end */ -}}
{{- if gt (len .root.Release.Name) 38 -}}
{{- fail (printf "the name of the release has %d characters: at most 38, or names of its objects are too long for Kubernetes" (len .root.Release.Name)) -}}
{{- end -}}
{{ .root.Release.Name }}-{{ .service }}
{{- end }}

{{- define "tally.secretName" -}}
{{- $values := index .root.Values.services .service -}}
{{ $values.secretName | default (include "tally.name" .) }}
{{- end }}

{{/* (dict "root" $ "service" "jobs" "key" "database-url"): the Secret and its key that hold it, {name, key}. */}}
{{- define "tally.secretRef" -}}
{{- $own := (index .root.Values.services .service).secrets | default dict -}}
{{- index $own .key | default (dict "name" (include "tally.secretName" .) "key" .key) | toJson -}}
{{- end }}

{{/* Version of a service: each may have its own, and nothing of another one changes with it. */}}
{{- define "tally.version" -}}
{{- $own := (index .root.Values.services .service | default dict).image | default dict -}}
{{ $own.tag | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- define "tally.image" -}}
{{ .root.Values.image.repository }}/{{ .service }}:{{ include "tally.version" . }}
{{- end }}

{{- define "tally.selector" -}}
app.kubernetes.io/name: tally
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .service }}
{{- end }}

{{- define "tally.podLabels" -}}
{{ include "tally.selector" . }}
app.kubernetes.io/part-of: tally
{{- /* a digest behind the tag is no text of a label */}}
app.kubernetes.io/version: {{ include "tally.version" (dict "root" .root "service" (trimSuffix "-migrate" .service)) | splitList "@" | first | trunc 63 | quote }}
{{- end }}

{{- define "tally.labels" -}}
{{ include "tally.podLabels" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{/* What is known of a service from its code: files/services.json, made by tools/k8s-generate.mjs. */}}
{{- define "tally.facts" -}}
{{ index (.root.Files.Get "files/services.json" | fromJson) .service | toJson }}
{{- end }}

{{/* Port of the service: HTTP for the gateway, gRPC for all others. */}}
{{- define "tally.port" -}}
{{ if eq .service "gateway" }}8080{{ else }}7000{{ end }}
{{- end }}
{{- define "tally.portName" -}}
{{ if eq .service "gateway" }}http{{ else }}grpc{{ end }}
{{- end }}
{{- define "tally.metricsPort" -}}9464{{- end }}
{{/* Where a service listens: on all addresses; the one for IPv6 takes IPv4, too, where there are both. */}}
{{- define "tally.anyAddress" -}}
{{ ternary "[::]" "0.0.0.0" (has "IPv6" .root.Values.network.ipFamilies) }}
{{- end }}
{{- define "tally.workDir" -}}/var/lib/tally{{- end }}
{{- define "tally.secretDir" -}}/run/secrets/tally{{- end }}
