{{/*
What an operator's cluster wants of every pod: `pods`, or the same key of services.<service>. Migrate jobs are pods of
their service.
*/}}
{{- define "tally.podValue" -}}
{{- $own := index .root.Values.services .service -}}
{{- $value := index .root.Values.pods .key -}}
{{- if hasKey $own .key -}}{{- $value = index $own .key -}}{{- end -}}
{{- if $value -}}{{- dict "value" $value | toJson -}}{{- else -}}{}{{- end -}}
{{- end }}

{{/* (dict "root" $ "service" "jobs" "key" "tolerations" "as" "tolerations"): the field, if there is a value. */}}
{{- define "tally.podField" -}}
{{- $found := include "tally.podValue" . | fromJson -}}
{{- if $found.value }}
{{ .as }}: {{- if kindIs "string" $found.value }} {{ $found.value }}{{ else }}{{ toYaml $found.value | nindent 2 }}{{ end }}
{{- end -}}
{{- end }}

{{/* Where a pod may run, and how it finds names. */}}
{{- define "tally.placement" -}}
{{- $arg := dict "root" .root "service" .service -}}
{{- range list "nodeSelector" "tolerations" "affinity" "dnsPolicy" "dnsConfig" -}}
{{- include "tally.podField" (merge (dict "key" . "as" .) $arg) -}}
{{- end -}}
{{- include "tally.podField" (merge (dict "key" "priorityClass" "as" "priorityClassName") $arg) -}}
{{- end }}

{{/* Labels that are added to a pod's own. */}}
{{- define "tally.extraLabels" -}}
{{- with (include "tally.podValue" (merge (dict "key" "podLabels") .) | fromJson).value }}
{{ toYaml . }}
{{- end -}}
{{- end }}

{{/* Variables that are no settings of ours: certificates of your own authority, and what an operator adds. */}}
{{- define "tally.extraEnv" -}}
{{- if .root.Values.caBundle.configMap }}
- { name: NODE_EXTRA_CA_CERTS, value: /run/tally-ca/ca.crt }
{{- end }}
{{- with (include "tally.podValue" (merge (dict "key" "extraEnv") .) | fromJson).value }}
{{ toYaml . }}
{{- end -}}
{{- end }}

{{/* Containers of yours beside the service's own, for example a proxy to the database. */}}
{{- define "tally.extraContainers" -}}
{{- with (include "tally.podValue" (merge (dict "key" "extraContainers") .) | fromJson).value }}
{{ toYaml . }}
{{- end -}}
{{- end }}

{{- define "tally.extraMounts" -}}
{{- if .root.Values.caBundle.configMap }}
- { name: ca-bundle, mountPath: /run/tally-ca, readOnly: true }
{{- end }}
{{- with (include "tally.podValue" (merge (dict "key" "extraVolumeMounts") .) | fromJson).value }}
{{ toYaml . }}
{{- end -}}
{{- end }}

{{- define "tally.extraVolumes" -}}
{{- with .root.Values.caBundle }}
{{- if .configMap }}
- name: ca-bundle
  configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: ca.crt }] }
{{- end }}
{{- end }}
{{- with (include "tally.podValue" (merge (dict "key" "extraVolumes") .) | fromJson).value }}
{{ toYaml . }}
{{- end -}}
{{- end }}

{{- /* Resources of a container; the folder that it writes bounds its disk, unless its limits say otherwise. folderSize: empty: it writes none. */}}
{{- define "tally.resources" -}}
{{- $limits := deepCopy (default dict .resources.limits) }}
{{- if .folderSize }}{{ $limits = merge $limits (dict "ephemeral-storage" .folderSize) }}{{ end }}
{{- toYaml (set (deepCopy .resources) "limits" $limits) }}
{{- end }}
