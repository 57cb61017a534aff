{{- define "stechuhr-common.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret | quote }}
      key: {{ .key | quote }}
{{- end -}}

{{/* The environment of a service: where it listens, its peers, its servers, from the topology. */}}
{{- define "stechuhr-common.environment" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $service := .service -}}
{{- $ports := include "stechuhr-common.ports" . | fromYaml -}}
{{- $fullname := include "stechuhr-common.fullname" . -}}
{{- $host := $values.adminHost -}}
{{- $bind := ternary (printf "[%s]" $host) $host (contains ":" $host) -}}
{{- if not (hasKey .settings.env "LOG_LEVEL") }}
- name: LOG_LEVEL
  value: {{ $values.logLevel | quote }}
{{- end }}
- name: ADMIN_HOST
  value: {{ $host | quote }}
- name: ADMIN_PORT
  value: {{ $ports.admin | quote }}
{{- if eq $service.serves "grpc" }}
- name: GRPC_BIND
  value: "{{ $bind }}:{{ $ports.grpc }}"
- name: GRPC_HEALTH_BIND
  value: "{{ $bind }}:{{ $ports.health }}"
{{- else if eq $service.serves "http" }}
- name: HOST
  value: {{ $host | quote }}
- name: PORT
  value: {{ $ports.http | quote }}
{{- $isOfIngress := and $values.ingress.enabled (not (hasKey (.settings.env | default dict) "PUBLIC_URL")) }}
{{- with $values.publicUrl | default (ternary (printf "https://%s" $values.ingress.host) "" $isOfIngress) }}
- name: PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if dig "drains" false $service }}
- name: DRAIN_SECONDS
  value: {{ $values.drainSeconds | quote }}
{{- end }}
{{- range $service.calls }}
- name: {{ include "stechuhr-common.variable" . }}_ADDRESS
  value: {{ $fullname }}-{{ . }}:{{ $ports.grpc }}
{{- end }}
{{- if has "mongodb" $service.needs }}
{{ include "stechuhr-common.fromSecret" (dict "name" "MONGODB_URL" "secret" (include "stechuhr-common.mongodbSecret" .) "key" $service.name) }}
{{- end }}
{{- if has "nats" $service.needs }}
{{ include "stechuhr-common.fromSecret" (dict "name" "NATS_URL" "secret" (include "stechuhr-common.natsSecret" .) "key" $service.name) }}
{{- if $service.provisionsBus }}
# Optional: the secret of an installation from before has no such key until the upgrade, and its streams are there.
- name: NATS_PROVISIONING_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "stechuhr-common.natsSecret" . | quote }}
      key: provisioner
      optional: true
- name: NATS_REPLICAS
  value: {{ include "stechuhr-common.natsReplicas" . | quote }}
{{- with $values.nats.streams }}
- name: NATS_STREAMS
  value: {{ toJson . | quote }}
{{- end }}
{{- with $values.nats.subscribers }}
- name: NATS_SUBSCRIBERS
  value: {{ toJson . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if has "redis" $service.needs }}
{{ include "stechuhr-common.fromSecret" (dict "name" "REDIS_URL" "secret" (include "stechuhr-common.redisSecret" .) "key" "url") }}
{{- end }}
{{- if has "s3" $service.needs }}
- name: S3_ENDPOINT
  value: {{ include "stechuhr-common.s3Endpoint" . | quote }}
- name: S3_PUBLIC_ENDPOINT
  value: {{ $values.s3.publicEndpoint | default (include "stechuhr-common.s3Endpoint" .) | quote }}
- name: S3_REGION
  value: {{ $values.s3.region | quote }}
- name: S3_BUCKET
  value: {{ $values.s3.bucket | quote }}
{{ include "stechuhr-common.fromSecret" (dict "name" "S3_ACCESS_KEY" "secret" (include "stechuhr-common.s3Secret" .) "key" "access-key") }}
{{ include "stechuhr-common.fromSecret" (dict "name" "S3_SECRET_KEY" "secret" (include "stechuhr-common.s3Secret" .) "key" "secret-key") }}
{{- end }}
{{- with include "stechuhr-common.authorities" . }}
{{ . }}
{{- end }}
{{- with $values.telemetry.otlpEndpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
- name: OTEL_RESOURCE_ATTRIBUTES
  value: {{ printf "service.namespace=stechuhr,k8s.namespace.name=%s" $root.Release.Namespace | quote }}
{{- end }}
{{- range $name, $value := .settings.env }}
{{- if kindIs "map" $value }}
{{ include "stechuhr-common.fromSecret" (dict "name" $name "secret" $value.secret "key" $value.key) }}
{{- else }}
- name: {{ $name }}
  value: {{ include "stechuhr-common.text" $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Read once, when Node starts. */}}
{{- define "stechuhr-common.authorities" -}}
{{- with .root.Values.extraAuthorities -}}
{{- if .existingSecret -}}
- name: NODE_EXTRA_CA_CERTS
  value: {{ printf "/etc/stechuhr/authorities/%s" .key | quote }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Who it is to others, and whom it answers. */}}
{{- define "stechuhr-common.identity" -}}
{{- if .root.Values.mtls.enabled }}
- name: GRPC_TLS_FOLDER
  value: /etc/stechuhr/tls
{{- with .service.callers }}
- name: GRPC_ALLOWED_CALLERS
  value: {{ join "," . }}
{{- end }}
{{- if and .root.Values.mtls.requireGrants (eq (dig "serves" "" .service) "grpc") }}
- name: GRPC_REQUIRE_GRANTS
  value: "true"
{{- end }}
{{- if and .root.Values.mtls.clients .service.openMethods }}
- name: GRPC_CLIENTS
  value: {{ toJson .root.Values.mtls.clients | quote }}
{{- end }}
{{- end }}
{{- end -}}
