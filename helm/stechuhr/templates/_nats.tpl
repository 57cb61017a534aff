{{/* A user a service, with the permissions that follow from the catalogue of events; files/nats-permissions.json is made of it. */}}
{{- define "stechuhr.natsConfiguration" -}}
{{- $permissions := .Files.Get "files/nats-permissions.json" | fromJson -}}
{{- $root := . -}}
server_name: {{ include "stechuhr-common.fullname" (dict "root" .) }}-nats
port: 4222
http_port: 8222
jetstream { store_dir: /data }
authorization {
  users: [
    {{- range $name, $permission := $permissions }}
    {
      user: {{ $name | quote }}
      password: {{ include "stechuhr.password" (dict "root" $root "name" (printf "nats-%s" $name)) | quote }}
      permissions: {
        publish: { allow: {{ toRawJson $permission.publish }} }
        subscribe: { allow: {{ toRawJson $permission.subscribe }} }
      }
    }
    {{- end }}
    {{- range .Values.nats.publishers }}
    # Of the institution's own systems: what they send is about their institution.
    {
      user: {{ .user | quote }}
      password: {{ include "stechuhr.password" (dict "root" $root "name" (printf "nats-%s" .user)) | quote }}
      permissions: {
        publish: { allow: ["stechuhr.ingest.{{ .institution }}.>"] }
        subscribe: { allow: ["_INBOX_{{ .user }}.>"] }
      }
    }
    {{- end }}
  ]
}
{{- end -}}
