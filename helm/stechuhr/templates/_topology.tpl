{{/* The services of files/topology.json, each with those who call it: a list as JSON. */}}
{{- define "stechuhr.services" -}}
{{- $topology := .Files.Get "files/topology.json" | fromJson -}}
{{- $services := list -}}
{{- range $topology.services -}}
{{- $name := .name -}}
{{- $callers := list -}}
{{- range $topology.services -}}
{{- if has $name .calls -}}{{- $callers = append $callers .name -}}{{- end -}}
{{- end -}}
{{- if has $name $topology.toolbox.calls -}}{{- $callers = append $callers "toolbox" -}}{{- end -}}
{{- $services = append $services (merge (dict "callers" $callers) .) -}}
{{- end -}}
{{ $services | toJson }}
{{- end -}}

{{/* The command line, as a service without callers. */}}
{{- define "stechuhr.toolbox" -}}
{{ (.Files.Get "files/topology.json" | fromJson).toolbox | toJson }}
{{- end -}}
