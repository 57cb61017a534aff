{{/* Of servers that this chart runs for development: the same after every upgrade, another one for every name and release. */}}
{{- define "stechuhr.password" -}}
{{ printf "%s/%s/%s/%s" .root.Values.infrastructure.seed .root.Release.Namespace .root.Release.Name .name | sha256sum | trunc 32 }}
{{- end -}}

{{/*
Whether there is something to prepare: a service that is new in this version gets its user and its secret by the upgrade itself, and creates what it
needs when it starts. Empty for no.
*/}}
{{- define "stechuhr.isKnown" -}}
{{- $secret := dict -}}
{{- if not .root.Values.mongodb.existingSecret -}}
{{- $secret = lookup "v1" "Secret" .root.Release.Namespace (include "stechuhr-common.mongodbSecret" .) -}}
{{- end -}}
{{- if or (not $secret) (hasKey (dig "data" dict $secret) .service.name) -}}
yes
{{- end -}}
{{- end -}}

{{- define "stechuhr.database" -}}
stechuhr_{{ . | replace "-" "_" }}
{{- end -}}

{{/*
Takes root, name, image, port, args or a command of the shell, env, mount, size, config (files), sidecar; for a server that may be a cluster also
peers (the port between its members), replicas, and monitor (the port that answers /healthz); clients are peers outside of the release.
*/}}
{{- define "stechuhr.server" -}}
{{- $scope := dict "root" .root "service" (dict "name" .name) -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "stechuhr-common.name" $scope }}
  labels:
    {{- include "stechuhr-common.labels" $scope | nindent 4 }}
spec:
  serviceName: {{ include "stechuhr-common.name" $scope }}{{ if .peers }}-peers{{ end }}
  replicas: {{ .replicas | default 1 }}
  {{- if .peers }}
  # None is ready before most of them have started.
  podManagementPolicy: Parallel
  {{- end }}
  selector:
    matchLabels:
      {{- include "stechuhr-common.selectorLabels" $scope | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "stechuhr-common.labels" $scope | nindent 8 }}
      annotations:
        checksum/settings: {{ toYaml (list .args .command .config) | sha256sum }}
    spec:
      {{- include "stechuhr-common.podBasics" $scope | nindent 6 }}
      {{- if .peers }}
      {{- include "stechuhr-common.spread" $scope | nindent 6 }}
      {{- end }}
      containers:
        - name: {{ .name }}
          image: {{ .image | quote }}
          {{- with .command }}
          command: [sh, -c, {{ . | quote }}]
          {{- else }}
          args:
            {{- toYaml .args | nindent 12 }}
          {{- end }}
          {{- with .env }}
          env:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - { name: server, containerPort: {{ .port }} }
            {{- with .peers }}
            - { name: peers, containerPort: {{ . }} }
            {{- end }}
            {{- with .monitor }}
            - { name: monitor, containerPort: {{ . }} }
            {{- end }}
          startupProbe:
            {{- if .monitor }}
            # Whole only when its copies have caught up: the next one is not replaced before.
            httpGet: { path: /healthz, port: monitor }
            {{- else }}
            tcpSocket: { port: server }
            {{- end }}
            periodSeconds: 2
            timeoutSeconds: 3
            # A quarter of an hour, as NATS's own chart: one that is ended while it catches up with a large stream never gets there.
            failureThreshold: {{ ternary 450 150 (not (empty .monitor)) }}
          {{- if .monitor }}
          # A server whose disk was full gives JetStream up until it is started again.
          livenessProbe:
            httpGet: { path: "/healthz?js-enabled-only=true", port: monitor }
            periodSeconds: 30
            timeoutSeconds: 5
          {{- end }}
          readinessProbe:
            {{- if .monitor }}
            httpGet: { path: "/healthz?js-server-only=true", port: monitor }
            {{- else }}
            tcpSocket: { port: server }
            {{- end }}
            timeoutSeconds: 3
          resources:
            requests: { cpu: 100m, memory: 256Mi }
            limits: { memory: 1Gi }
          securityContext:
            {{- include "stechuhr-common.securityContext" $scope | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: {{ .mount }} }
            - { name: tmp, mountPath: /tmp }
            {{- if .config }}
            - { name: config, mountPath: /etc/server, readOnly: true }
            {{- end }}
        {{- with .sidecar }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        - name: tmp
          emptyDir: {}
        {{- if .config }}
        - name: config
          secret:
            secretName: {{ include "stechuhr-common.name" $scope }}-config
            # 0440
            defaultMode: 288
        {{- end }}
        {{- if not .size }}
        - name: data
          emptyDir: {}
        {{- end }}
  {{- if .size }}
  volumeClaimTemplates:
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: {{ .size | quote }}
  {{- end }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "stechuhr-common.name" $scope }}
  labels:
    {{- include "stechuhr-common.labels" $scope | nindent 4 }}
spec:
  selector:
    {{- include "stechuhr-common.selectorLabels" $scope | nindent 4 }}
  ports:
    - { name: server, port: {{ .port }}, targetPort: server }
    {{- with .monitor }}
    - { name: monitor, port: {{ . }}, targetPort: monitor }
    {{- end }}
{{- if .peers }}
---
# The name of each member, also while it is not ready: that is when it looks for the others.
apiVersion: v1
kind: Service
metadata:
  name: {{ include "stechuhr-common.name" $scope }}-peers
  labels:
    {{- include "stechuhr-common.labels" $scope | nindent 4 }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    {{- include "stechuhr-common.selectorLabels" $scope | nindent 4 }}
  ports:
    - { name: peers, port: {{ .peers }}, targetPort: peers }
{{- end }}
{{- if gt (int (.replicas | default 1)) 1 }}
---
{{ include "stechuhr-common.podDisruptionBudget" $scope }}
{{- end }}
{{- if .config }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ include "stechuhr-common.name" $scope }}-config
  labels:
    {{- include "stechuhr-common.labels" $scope | nindent 4 }}
stringData:
  {{- toYaml .config | nindent 2 }}
{{- end }}
{{- if .root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "stechuhr-common.name" $scope }}
  labels:
    {{- include "stechuhr-common.labels" $scope | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "stechuhr-common.selectorLabels" $scope | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - podSelector:
            matchLabels:
              app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
        {{- with .clients }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - port: {{ .port }}
    {{- with .peers }}
    - from:
        - podSelector:
            matchLabels:
              {{- include "stechuhr-common.selectorLabels" $scope | nindent 14 }}
      ports:
        - port: {{ . }}
    {{- end }}
    {{- if and .monitor .root.Values.services.worker.keda.enabled }}
    - from:
        {{- toYaml .root.Values.networkPolicy.scaler | nindent 8 }}
      ports:
        - port: {{ .monitor }}
    {{- end }}
  egress:
    {{- include "stechuhr-common.namesEgress" $scope | nindent 4 }}
    - to:
        - podSelector:
            matchLabels:
              {{- include "stechuhr-common.selectorLabels" $scope | nindent 14 }}
{{- end }}
{{- end -}}
