{{/* Where the addresses and keys of servers are: a secret of yours, else the one that this chart makes of values. */}}
{{- define "stechuhr-common.mongodbSecret" -}}
{{ .root.Values.mongodb.existingSecret | default (printf "%s-mongodb" (include "stechuhr-common.fullname" .)) }}
{{- end -}}

{{- define "stechuhr-common.natsSecret" -}}
{{ .root.Values.nats.existingSecret | default (printf "%s-nats" (include "stechuhr-common.fullname" .)) }}
{{- end -}}

{{/* Copies of each stream: no more than there are servers where the release has its own. */}}
{{- define "stechuhr-common.natsReplicas" -}}
{{- $copies := int .root.Values.nats.replicas -}}
{{ ternary (min $copies (int .root.Values.infrastructure.replicas.nats)) $copies .root.Values.infrastructure.enabled }}
{{- end -}}

{{/* Where the bus says how many messages wait. */}}
{{- define "stechuhr-common.natsMonitor" -}}
{{- if and .root.Values.infrastructure.enabled (not .root.Values.nats.monitoringEndpoint) -}}
{{ include "stechuhr-common.fullname" . }}-nats.{{ .root.Release.Namespace }}.svc:8222
{{- else -}}
{{ .root.Values.nats.monitoringEndpoint }}
{{- end -}}
{{- end -}}

{{/* The account of the streams and the services, on the server of the release. */}}
{{- define "stechuhr-common.busAccount" -}}
STECHUHR
{{- end -}}

{{/* The account that holds the streams. */}}
{{- define "stechuhr-common.natsAccount" -}}
{{ ternary (include "stechuhr-common.busAccount" .) .root.Values.nats.account .root.Values.infrastructure.enabled }}
{{- end -}}

{{- define "stechuhr-common.redisSecret" -}}
{{ .root.Values.redis.existingSecret | default (printf "%s-redis" (include "stechuhr-common.fullname" .)) }}
{{- end -}}

{{- define "stechuhr-common.s3Secret" -}}
{{- with .root.Values.s3.existingSecrets -}}
{{ replace "{service}" $.service.name . }}
{{- else -}}
{{ .root.Values.s3.existingSecret | default (printf "%s-s3-%s" (include "stechuhr-common.fullname" .) .service.name) }}
{{- end -}}
{{- end -}}

{{- define "stechuhr-common.s3Endpoint" -}}
{{- if .root.Values.infrastructure.enabled -}}
http://{{ include "stechuhr-common.fullname" . }}-minio:9000
{{- else -}}
{{ .root.Values.s3.endpoint }}
{{- end -}}
{{- end -}}

{{/*
One certificate a service: its common name is the service's, and a server lets in those that the topology names. Those of cert-manager have names of
their own: what the chart made before is deleted by the upgrade that leaves it to cert-manager, which would take it over or not, as it happens.
*/}}
{{- define "stechuhr-common.tlsSecret" -}}
{{- with .root.Values.mtls.existingSecrets -}}
{{ replace "{service}" $.service.name . }}
{{- else -}}
{{ include "stechuhr-common.name" . }}-{{ if .root.Values.mtls.issuer.name }}issued-{{ end }}tls
{{- end -}}
{{- end -}}
