{{/*
Problems of the values, one sentence each, as a list in JSON. The schema checks names and types; the form of texts is checked here,
because a schema can only answer with its pattern.
*/}}
{{- define "stechuhr.problems" -}}
{{- $values := .Values -}}
{{- $release := .Release.Name -}}
{{- $texts := list
  (list "publicUrl" $values.publicUrl `^(https?://[^/]+)?$` "a scheme and a host without a path, such as https://api.example.com")
  (list "ingress.host" $values.ingress.host `^([a-z0-9]([a-z0-9.-]*[a-z0-9])?)?$` "a host name alone, such as api.example.com")
  (list "nats.monitoringEndpoint" $values.nats.monitoringEndpoint `^([^/:]+:\d+)?$` "host:port, such as nats-headless.nats.svc:8222")
  (list "redis.url" $values.redis.url `^(rediss?(\+(cluster|sentinel))?://.+)?$` "redis://host:6379, redis+cluster://host:6379,… or redis+sentinel://host:26379,…/name, or rediss with TLS")
  (list "s3.endpoint" $values.s3.endpoint `^(https?://[^/]+)?$` "a scheme and a host without a path, such as https://s3.example.com")
  (list "s3.publicEndpoint" $values.s3.publicEndpoint `^(https?://[^/]+)?$` "a scheme and a host without a path, such as https://files.example.com")
  (list "s3.bucket" $values.s3.bucket `^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$` "3 to 63 small letters, digits, dots and hyphens")
  (list "mtls.existingSecrets" $values.mtls.existingSecrets `^$|\{service\}` "a name with {service} in it, such as tls-{service}: each service has its own")
  (list "s3.existingSecrets" $values.s3.existingSecrets `^$|\{service\}` "a name with {service} in it, such as s3-{service}: each service has its own")
  (list "telemetry.otlpEndpoint" $values.telemetry.otlpEndpoint `^(https?://.+)?$` "an address such as http://otel-collector.monitoring:4318")
  (list "monitoring.interval" $values.monitoring.interval `^(([1-9]\d?|1[01]\d|120)s|[12]m)$` "a number of seconds or minutes, such as 15s, of at most 2m, because alerts need two values in five minutes")
-}}
{{- range $service, $digest := $values.image.digests -}}
{{- $texts = append $texts (list (printf "image.digests.%s" $service) $digest `^sha256:[0-9a-f]{64}$` "sha256: and 64 digits of the hexadecimal system") -}}
{{- end -}}
{{- range $index, $publisher := $values.nats.publishers -}}
{{- $texts = append $texts (list (printf "nats.publishers[%d].user" $index) $publisher.user `^[a-z0-9-]+$` "small letters, digits and hyphens") -}}
{{- $texts = append $texts (list (printf "nats.publishers[%d].institution" $index) $publisher.institution `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$` "the id of an institution, a UUID in small letters") -}}
{{- end -}}
{{- range $index, $subscriber := $values.nats.subscribers -}}
{{- $texts = append $texts (list (printf "nats.subscribers[%d].user" $index) $subscriber.user `^[a-z0-9-]+$` "small letters, digits and hyphens") -}}
{{- $texts = append $texts (list (printf "nats.subscribers[%d].institution" $index) ($subscriber.institution | default "") `^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$` "the id of an institution, a UUID in small letters, or left out for all of them") -}}
{{- range $subscriber.events -}}
{{- $texts = append $texts (list (printf "nats.subscribers[%d].events" $index) . `^([a-z-]+|\*)\.([a-z_-]+|\*)\.([a-z-]+|\*)$` "a list of service.entity.verb, such as records.workday.*") -}}
{{- end -}}
{{- end -}}
{{- range $index, $client := $values.mtls.clients -}}
{{- $texts = append $texts (list (printf "mtls.clients[%d].name" $index) $client.name `^[a-z0-9-]+$` "small letters, digits and hyphens") -}}
{{- range $client.institutions -}}
{{- $texts = append $texts (list (printf "mtls.clients[%d].institutions" $index) . `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$` "ids of institutions, UUIDs in small letters") -}}
{{- end -}}
{{- end -}}
{{- $problems := list -}}
{{- $names := list "toolbox" "authority" -}}
{{- $openMethods := list -}}
{{- range include "stechuhr.services" . | fromJsonArray -}}
{{- $names = append $names .name -}}
{{- $openMethods = concat $openMethods (.openMethods | default list) -}}
{{- end -}}
{{- range $index, $client := $values.mtls.clients -}}
{{- if has $client.name $names -}}
{{- $problems = append $problems (printf "mtls.clients[%d].name is %q: another certificate has this name" $index $client.name) -}}
{{- end -}}
{{- $names = append $names $client.name -}}
{{- range $client.methods -}}
{{- if not (has . $openMethods) -}}
{{- $problems = append $problems (printf "mtls.clients[%d].methods: %q is not open to other teams; these are: %s" $index . (join ", " $openMethods)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $users := .Files.Get "files/nats-permissions.json" | fromJson | keys -}}
{{- range $kind := list "publishers" "subscribers" -}}
{{- range $index, $other := get $values.nats $kind | default list -}}
{{- if has $other.user $users -}}
{{- $problems = append $problems (printf "nats.%s[%d].user is %q: another user of the bus has this name" $kind $index $other.user) -}}
{{- end -}}
{{- $users = append $users $other.user -}}
{{- end -}}
{{- end -}}
{{- $settings := merge (dict "toolbox" (dict "at" "toolbox" "settings" $values.toolbox)) dict -}}
{{- range $name, $service := $values.services -}}
{{- $settings = set $settings $name (dict "at" (printf "services.%s" $name) "settings" $service) -}}
{{- range $variable, $_ := $service.env -}}
{{- if not (regexMatch `^[A-Z][A-Z0-9_]*$` $variable) -}}
{{- $problems = append $problems (printf "services.%s.env: %q is not a valid variable: use capitals, digits and underscores, for example %s" $name $variable (upper $variable | replace "-" "_")) -}}
{{- end -}}
{{- end -}}
{{- range $variable, $by := include "stechuhr.chartVariables" (dict "root" $ "name" $name) | fromJson -}}
{{- if hasKey ($service.env | default dict) $variable -}}
{{- $problems = append $problems (printf "services.%s.env: %s is set by the chart, and a container cannot have it twice" $name $variable) -}}
{{- end -}}
{{- end -}}
{{- if and $values.mongodb.sharding.existingSecret (hasKey ($service.env | default dict) "MONGODB_DATABASE") -}}
{{- $problems = append $problems (printf "services.%s.env: MONGODB_DATABASE cannot be set with mongodb.sharding, which shards the databases of docs/sharding.md alone" $name) -}}
{{- end -}}
{{- range $scaler := list "autoscaling" "keda" -}}
{{- $bounds := get $service $scaler -}}
{{- if and $bounds.enabled (gt (int $bounds.minReplicas) (int $bounds.maxReplicas)) -}}
{{- $problems = append $problems (printf "services.%s.%s: minReplicas is %d, more than maxReplicas, %d" $name $scaler (int $bounds.minReplicas) (int $bounds.maxReplicas)) -}}
{{- end -}}
{{- end -}}
{{- if and $service.autoscaling.enabled (not (hasKey $service.resources.requests "cpu")) (not (hasKey $service.resources.limits "cpu")) -}}
{{- $problems = append $problems (printf "services.%s.autoscaling needs resources.requests.cpu: cpuPercent is a share of it" $name) -}}
{{- end -}}
{{- if and $service.keda.enabled $service.autoscaling.enabled -}}
{{- $problems = append $problems (printf "services.%s: either autoscaling or keda, both would scale the same pods" $name) -}}
{{- end -}}
{{- if and $service.keda.enabled (ne $name "worker") -}}
{{- $problems = append $problems (printf "services.%s.keda is for the worker, which takes jobs; this one scales by autoscaling" $name) -}}
{{- end -}}
{{- end -}}
{{- range $settings -}}
{{- $at := .at -}}
{{- $limits := .settings.resources.limits -}}
{{- range $resource, $amount := .settings.resources.requests -}}
{{- if and (hasKey $limits $resource) (gt (include "stechuhr.amount" $amount | float64) (include "stechuhr.amount" (get $limits $resource) | float64)) -}}
{{- $problems = append $problems (printf "%s.resources: it requests more %s (%s) than its limit allows (%s)" $at $resource (include "stechuhr-common.text" $amount) (include "stechuhr-common.text" (get $limits $resource))) -}}
{{- end -}}
{{- end -}}
{{- range $kind, $amounts := .settings.resources -}}
{{- range $resource, $amount := $amounts -}}
{{- $units := ternary `m?` `(k|Ki|Mi|Gi|M|G)?` (eq $resource "cpu") -}}
{{- $texts = append $texts (list (printf "%s.resources.%s.%s" $at $kind $resource) (include "stechuhr-common.text" $amount) (printf `^(\d+\.?\d*|\.\d+)%s$` $units) "an amount such as 250m of cpu or 512Mi of memory") -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $texts -}}
{{- $text := index . 1 | default "" | toString -}}
{{- if not (regexMatch (index . 2) $text) -}}
{{- $problems = append $problems (printf "%s is %q: it has to be %s" (index . 0) $text (index . 3)) -}}
{{- end -}}
{{- end -}}
{{- if not (regexMatch `^[a-z][a-z0-9-]*$` $release) -}}
{{- $problems = append $problems (printf "the release is called %s, and so would Services be: their names begin with a letter and have small letters, digits and hyphens; install it under another name" $release) -}}
{{- end -}}
{{- if and $values.infrastructure.enabled (lt (len $values.infrastructure.seed) 16) -}}
{{- $problems = append $problems "infrastructure.seed has to be a secret of at least 16 characters, because passwords are derived from it: make one with `openssl rand -hex 24`, and keep it for upgrades" -}}
{{- end -}}
{{- if and $values.mtls.issuer.name $values.mtls.existingSecrets -}}
{{- $problems = append $problems "mtls: either issuer.name or existingSecrets, certificates come from one of them" -}}
{{- end -}}
{{- if not $values.mtls.enabled -}}
{{- if $values.mtls.requireGrants }}{{ $problems = append $problems "mtls.requireGrants needs mtls.enabled: grants are signed with certificates" }}{{ end -}}
{{- if $values.mtls.clients }}{{ $problems = append $problems "mtls.clients needs mtls.enabled: clients are known by their certificates" }}{{ end -}}
{{- end -}}
{{- if and $values.ingress.clusterIssuer (hasKey ($values.ingress.annotations | default dict) "cert-manager.io/cluster-issuer") -}}
{{- $problems = append $problems "ingress: either clusterIssuer or the annotation cert-manager.io/cluster-issuer, they are the same" -}}
{{- end -}}
{{- range $label, $_ := include "stechuhr-common.labels" (dict "root" . "service" (dict "name" "platform")) | fromYaml -}}
{{- if hasKey ($values.monitoring.labels | default dict) $label -}}
{{- $problems = append $problems (printf "monitoring.labels: %s is set by the chart, and an object cannot have it twice" $label) -}}
{{- end -}}
{{- end -}}
{{- if hasKey ($values.podAnnotations | default dict) "checksum/secrets" -}}
{{- $problems = append $problems "podAnnotations: checksum/secrets is set by the chart, and a pod cannot have it twice" -}}
{{- end -}}
{{- if and $values.redis.url $values.redis.existingSecret }}{{ $problems = append $problems "redis: either url or existingSecret" }}{{ end -}}
{{- if and $values.s3.existingSecret $values.s3.existingSecrets }}{{ $problems = append $problems "s3: either existingSecret, one key for all services, or existingSecrets, one for each" }}{{ end -}}
{{- if $values.infrastructure.enabled -}}
{{- range $path := list "redis.url" "s3.endpoint" -}}
{{- $keys := splitList "." $path -}}
{{- if get (get $values (first $keys)) (last $keys) -}}
{{- $problems = append $problems (printf "%s is for a server of yours, and infrastructure.enabled brings one along" $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not $values.infrastructure.enabled -}}
{{- if $values.networkPolicy.enabled -}}
{{- range $server := list "mongodb" "nats" "redis" "s3" -}}
{{- if not (get $values.networkPolicy.servers $server).to -}}
{{- $problems = append $problems (printf "networkPolicy.servers.%s.to is missing: where it is, such as [{ ipBlock: { cidr: 10.1.0.0/24 } }], because pods reach nothing else" $server) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not $values.mongodb.existingSecret }}{{ $problems = append $problems "mongodb.existingSecret is missing: a secret with the connection string of each service under its name" }}{{ end -}}
{{- if $values.nats.publishers }}{{ $problems = append $problems "nats.publishers needs infrastructure.enabled: on NATS servers of your own, create these users as helm/README.md shows" }}{{ end -}}
{{- if not $values.nats.existingSecret }}{{ $problems = append $problems "nats.existingSecret is missing: a secret with nats://user:password@host:4222 of each service under its name" }}{{ end -}}
{{- if not (or $values.redis.existingSecret $values.redis.url) }}{{ $problems = append $problems "redis.existingSecret is missing: a secret with the key url" }}{{ end -}}
{{- if not (or $values.s3.existingSecret $values.s3.existingSecrets) }}{{ $problems = append $problems "s3.existingSecrets is missing: s3-{service}, the name of each service's secret with the keys access-key and secret-key" }}{{ end -}}
{{- if not $values.s3.endpoint }}{{ $problems = append $problems "s3.endpoint is missing: the address of the object store, such as https://s3.example.com" }}{{ end -}}
{{- if and $values.services.worker.keda.enabled (not $values.nats.monitoringEndpoint) }}{{ $problems = append $problems "nats.monitoringEndpoint is missing: KEDA asks it how many jobs wait" }}{{ end -}}
{{- end -}}
{{- if and $values.ingress.enabled (not $values.ingress.host) }}{{ $problems = append $problems "ingress.host is missing: the name that clients call" }}{{ end -}}
{{ $problems | toJson }}
{{- end -}}

{{/* An amount of Kubernetes as a number, to compare it with another; 0 for what is none, which is said elsewhere. */}}
{{- define "stechuhr.amount" -}}
{{- $text := include "stechuhr-common.text" . -}}
{{- $units := dict "" 1.0 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 -}}
{{- mulf (regexFind `^[0-9.]+` $text | default "0" | float64) (get $units (regexFind `[A-Za-z]+$` $text) | default 0.0) -}}
{{- end -}}

{{/*
The variables that the chart itself sets in a service, by their names. Not the log level: that of one service may be another one. Nor the public
address that follows from the ingress.
*/}}
{{- define "stechuhr.chartVariables" -}}
{{- $found := dict -}}
{{- range $service := include "stechuhr.services" .root | fromJsonArray -}}
{{- if eq $service.name $.name -}}
{{- $scope := dict "root" $.root "service" $service "settings" (dict "env" dict) -}}
{{- $text := printf "%s\n%s" (include "stechuhr-common.environment" $scope) (include "stechuhr-common.identity" $scope) -}}
{{- range $variable := fromYamlArray $text -}}
{{- $_ := set $found $variable.name true -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not .root.Values.publicUrl }}{{ $found = omit $found "PUBLIC_URL" }}{{ end -}}
{{ omit $found "LOG_LEVEL" | toJson }}
{{- end -}}
