import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openChart, SEED, type Chart } from './chart.js';

/** `helm template` does not render the notes, so a template of the copy renders them as an object. */
const TEMPLATE = `
apiVersion: v1
kind: ConfigMap
metadata: { name: notes }
data:
  text: |
    {{- tpl (.Files.Get "files/NOTES.txt") . | nindent 4 }}
`;

const infrastructure = { enabled: true, seed: SEED };
const ingress = { enabled: true, host: 'api.example.com' };

let chart: Chart;

beforeAll(async () => {
  chart = await openChart((folder) => {
    cpSync(join(folder, 'templates', 'NOTES.txt'), join(folder, 'files', 'NOTES.txt'));
    writeFileSync(join(folder, 'templates', 'notes.yaml'), TEMPLATE);
  });
});

afterAll(() => chart.close());

async function notesWith(values: object): Promise<string> {
  const { data } = (await chart.render({ infrastructure, ...values })).object('ConfigMap', 'notes');
  return (data as { readonly text: string }).text;
}

describe('the notes name what an uninstall leaves behind, and the command that deletes it', () => {
  it('without an ingress', async () => {
    const notes = await notesWith({});
    expect(notes).toContain('pod/demo-stechuhr-helm-test,');
    expect(notes).toContain('secret/demo-stechuhr-authority-tls,');
    expect(notes).toContain('delete pod,job,secret,pvc --selector app.kubernetes.io/instance=demo\n');
    expect(notes).not.toMatch(/ingress-tls|-sharding/);
  });

  // The secret does not have the labels of the release, so the selector does not match it.
  it.each<[string, object, string]>([
    ['of a cluster issuer', { ...ingress, clusterIssuer: 'letsencrypt' }, 'demo-stechuhr-ingress-tls'],
    ['of an issuer', { ...ingress, annotations: { 'cert-manager.io/issuer': 'own' } }, 'demo-stechuhr-ingress-tls'],
    ['with a name of its own', { ...ingress, clusterIssuer: 'letsencrypt', tlsSecret: 'api-tls' }, 'api-tls'],
  ])('with an ingress whose certificate is %s', async (_what, values, secret) => {
    const notes = await notesWith({ ingress: values });
    expect(notes).toContain(`  secret/${secret}, the certificate that cert-manager issued for the ingress\n`);
    expect(notes).toContain(`  kubectl --namespace shop delete secret ${secret}\n`);
  });

  it('with an ingress whose certificate belongs to the operator', async () => {
    expect(await notesWith({ ingress: { ...ingress, tlsSecret: 'api-tls' } })).not.toContain('api-tls');
  });

  it('with a cluster of MongoDB, whose job is kept after a failure', async () => {
    expect(await notesWith({ mongodb: { sharding: { existingSecret: 'mongos' } } })).toContain(
      '  job/demo-stechuhr-sharding, if it failed\n',
    );
  });
});

describe('the notes name network policies that block what the values list', () => {
  const subscribers = [{ user: 'audit', events: ['*.*.*'] }];
  const clients = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'planning' } } }];
  const todo = 'set networkPolicy.clients to the places where the programs in nats.subscribers run.';

  it.each<[boolean, string, object]>([
    [true, 'for subscribers whose place is not configured', { nats: { subscribers } }],
    [false, 'for subscribers whose place is configured', { nats: { subscribers }, networkPolicy: { clients } }],
    [false, 'without policies', { nats: { subscribers }, networkPolicy: { enabled: false } }],
    [false, 'without subscribers', {}],
  ])('%s: %s', async (isNamed, _when, values) => {
    expect((await notesWith(values)).includes(todo)).toBe(isNamed);
  });
});
