{{/* Mutual TLS between services: a certificate of cert-manager for each, in which its name is that of the service. */}}
{{- define "tally.tlsDir" -}}/run/tally-tls{{- end }}

{{- define "tally.tlsSecret" -}}
{{ include "tally.name" . }}-tls
{{- end }}

{{/* Name of the issuer: the operator's, or that of the release's own authority. */}}
{{- define "tally.tlsIssuer" -}}
{{ .Values.grpcTls.issuerName | default (printf "%s-grpc-tls" .Release.Name) }}
{{- end }}

{{- define "tally.tlsSettings" -}}
{{- $dir := include "tally.tlsDir" . -}}
GRPC_TLS_CERTIFICATE_FILE: {{ $dir }}/tls.crt
GRPC_TLS_KEY_FILE: {{ $dir }}/tls.key
GRPC_TLS_AUTHORITY_FILE: {{ $dir }}/ca.crt
{{- if ne .service "gateway" }}
GRPC_TLS_HEALTH_ADDRESS: {{ printf "%s:%s" (include "tally.anyAddress" .) (include "tally.healthPort" .) | quote }}
{{- end }}
{{- end }}

{{/* Port of the probes: a kubelet has no certificate. */}}
{{- define "tally.healthPort" -}}
{{ ternary 7001 7000 .root.Values.grpcTls.enabled }}
{{- end }}

{{- define "tally.tlsMount" -}}
{{- if .root.Values.grpcTls.enabled }}
- { name: grpc-tls, mountPath: {{ include "tally.tlsDir" . }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "tally.tlsVolume" -}}
{{- if .root.Values.grpcTls.enabled }}
- name: grpc-tls
  secret: { secretName: {{ include "tally.tlsSecret" . }}, defaultMode: 288 } # 0440
{{- end }}
{{- end }}
