{{- define "stechuhr.publisherAccount" -}}
PUBLISHER_{{ .user }}
{{- end -}}

{{- define "stechuhr.subscriberAccount" -}}
SUBSCRIBER_{{ .user }}
{{- end -}}

{{/* The consumer of a subscriber, in whichever streams the events are. */}}
{{- define "stechuhr.subscriberConsumer" -}}
*.subscriber-{{ .user }}
{{- end -}}

{{/*
A user a service, with the permissions that follow from the catalogue of events (files/nats-permissions.json), and an account for each publisher
and subscriber: a reply subject cannot leave it.
*/}}
{{- define "stechuhr.natsConfiguration" -}}
{{- $permissions := .Files.Get "files/nats-permissions.json" | fromJson -}}
{{- $root := . -}}
{{- $institutions := list -}}
{{- $accounts := dict -}}
{{- range .Values.nats.publishers -}}
{{- $institutions = append $institutions .institution | uniq -}}
{{- $_ := set $accounts .institution (append (get $accounts .institution | default list) (include "stechuhr.publisherAccount" .)) -}}
{{- end -}}
{{- $provisioner := get $permissions "provisioner" -}}
{{- range .Values.nats.subscribers -}}
{{- $consumer := include "stechuhr.subscriberConsumer" . -}}
{{- range list "DURABLE.CREATE" "INFO" "DELETE" -}}
{{- $_ := set $provisioner "publish" (append $provisioner.publish (printf "$JS.API.CONSUMER.%s.%s" . $consumer)) -}}
{{- end -}}
{{- end -}}
{{- $name := printf "%s-nats" (include "stechuhr-common.fullname" (dict "root" .)) -}}
{{- $servers := int .Values.infrastructure.replicas.nats -}}
server_name: {{ ternary $name "$POD_NAME" (eq $servers 1) }}
port: 4222
http_port: 8222
jetstream { store_dir: /data, sync_interval: {{ .Values.infrastructure.syncInterval.nats | quote }} }
{{- if gt $servers 1 }}
{{- $password := include "stechuhr.password" (dict "root" . "name" "nats-route") }}
cluster {
  name: {{ $name | quote }}
  listen: "0.0.0.0:6222"
  authorization { user: route, password: {{ $password | quote }}, timeout: 5 }
  routes: [
    {{- range $index := until $servers }}
    "nats-route://route:{{ $password }}@{{ $name }}-{{ $index }}.{{ $name }}-peers:6222"
    {{- end }}
  ]
}
{{- end }}
accounts {
  # The streams, the services, and who operates them.
  {{ include "stechuhr-common.busAccount" . }}: {
    jetstream: enabled
    # The slot of a live object's institution: it decides which partition takes the object.
    mappings: { "stechuhr.ingest.*.>": "stechuhr.ingest-slots.{{ "{{partition(64,1)}}" }}.{{ "{{wildcard(1)}}" }}.>" }
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
    ]
    exports: [
      {{- range $institution := $institutions }}
      { service: "stechuhr.ingest.{{ $institution }}.>", accounts: {{ get $accounts $institution | toRawJson }} }
      {{- end }}
      {{- range .Values.nats.subscribers }}
      {{- $consumer := include "stechuhr.subscriberConsumer" . }}
      {{- $account := include "stechuhr.subscriberAccount" . | quote }}
      { service: "$JS.API.CONSUMER.INFO.{{ $consumer }}", accounts: [{{ $account }}] }
      { service: "$JS.API.CONSUMER.MSG.NEXT.{{ $consumer }}", response: stream, accounts: [{{ $account }}] }
      { service: "$JS.ACK.{{ $consumer }}.>", accounts: [{{ $account }}] }
      {{- end }}
    ]
  }
  {{- range .Values.nats.publishers }}
  # Of an institution's own systems: what they send is about their institution. Their replies stay in their account.
  {{ include "stechuhr.publisherAccount" . | quote }}: {
    limits: { max_connections: 16, max_subscriptions: 64 }
    users: [
      {
        user: {{ .user | quote }}
        password: {{ include "stechuhr.password" (dict "root" $root "name" (printf "nats-%s" .user)) | quote }}
        permissions: {
          publish: { allow: ["stechuhr.ingest.{{ .institution }}.>"] }
          subscribe: { allow: ["_INBOX_{{ .user }}.>"] }
        }
      }
    ]
    imports: [{ service: { account: {{ include "stechuhr-common.busAccount" $root }}, subject: "stechuhr.ingest.{{ .institution }}.>" } }]
  }
  {{- end }}
  {{- range .Values.nats.subscribers }}
  {{- $consumer := include "stechuhr.subscriberConsumer" . }}
  # Of another team's service: it takes from its own consumers, which `tasks` creates with what it may know.
  {{ include "stechuhr.subscriberAccount" . | quote }}: {
    limits: { max_connections: 16, max_subscriptions: 64 }
    users: [
      {
        user: {{ .user | quote }}
        password: {{ include "stechuhr.password" (dict "root" $root "name" (printf "nats-%s" .user)) | quote }}
        permissions: {
          publish: { allow: ["stechuhr.api.CONSUMER.INFO.{{ $consumer }}", "stechuhr.api.CONSUMER.MSG.NEXT.{{ $consumer }}", "$JS.ACK.{{ $consumer }}.>"] }
          subscribe: { allow: ["_INBOX_{{ .user }}.>"] }
        }
      }
    ]
    imports: [
      {{- range list "INFO" "MSG.NEXT" }}
      { service: { account: {{ include "stechuhr-common.busAccount" $root }}, subject: "$JS.API.CONSUMER.{{ . }}.{{ $consumer }}" }, to: "stechuhr.api.CONSUMER.{{ . }}.{{ $consumer }}" }
      {{- end }}
      { service: { account: {{ include "stechuhr-common.busAccount" $root }}, subject: "$JS.ACK.{{ $consumer }}.>" } }
    ]
  }
  {{- end }}
}
{{- end -}}
