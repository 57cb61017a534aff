{{/* The ports of every container; nothing else listens. */}}
{{- define "stechuhr-common.ports" -}}
http: 8080
grpc: 50051
health: 50052
admin: 9464
{{- end -}}

{{/* HTTP or gRPC, by what the service serves; empty for one that serves nothing. */}}
{{- define "stechuhr-common.servingPort" -}}
{{- if ne .service.serves "nothing" -}}
{{ get (include "stechuhr-common.ports" . | fromYaml) .service.serves }}
{{- end -}}
{{- end -}}
