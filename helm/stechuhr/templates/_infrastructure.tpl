{{/* Of servers that this chart runs for development: the same after every upgrade, another one for every name and release. */}}
{{- define "stechuhr.password" -}}
{{ printf "%s/%s/%s/%s" .root.Values.infrastructure.seed .root.Release.Namespace .root.Release.Name .name | sha256sum | trunc 32 }}
{{- end -}}

{{- define "stechuhr.database" -}}
stechuhr_{{ . | replace "-" "_" }}
{{- end -}}

{{/* Takes root, name, image, port, args or a command of the shell, env, mount, size, config (files), sidecar. */}}
{{- define "stechuhr.server" -}}
{{- $scope := dict "root" .root "service" (dict "name" .name) -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "stechuhr-common.name" $scope }}
  labels:
    {{- include "stechuhr-common.labels" $scope | nindent 4 }}
spec:
  serviceName: {{ include "stechuhr-common.name" $scope }}
  replicas: 1
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
      containers:
        - name: {{ .name }}
          image: {{ .image }}
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
          startupProbe:
            tcpSocket: { port: server }
            periodSeconds: 2
            failureThreshold: 60
          readinessProbe:
            tcpSocket: { port: server }
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
            storage: {{ .size }}
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
              app.kubernetes.io/instance: {{ .root.Release.Name }}
      ports:
        - port: {{ .port }}
  egress:
    {{- include "stechuhr-common.namesEgress" $scope | nindent 4 }}
    - to:
        - podSelector:
            matchLabels:
              {{- include "stechuhr-common.selectorLabels" $scope | nindent 14 }}
{{- end }}
{{- end -}}
