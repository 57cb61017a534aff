import { topology } from '@stechuhr/local';
import { waitFor } from '@stechuhr/testing';
import type { Platform } from './platform.js';
import { podOf } from './pods.js';

const serving = topology.filter(({ serves }) => serves === 'grpc').map(({ name }) => name);

/** The kubelet updates a changed secret in pods within about a minute, and services check their files every minute. */
const TAKEN_MS = 240_000;

/** Returns the serial numbers of the certificates that services present to clients. */
export async function servedCertificates(platform: Platform): Promise<readonly string[]> {
  const script = `
    import { connect } from 'node:tls';
    const serials = await Promise.all(${JSON.stringify(serving)}.map((name) => new Promise((done, failed) => {
      const socket = connect({ host: 'stechuhr-' + name, port: 50051, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
        done(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      }).once('error', failed);
    })));
    console.log(JSON.stringify(serials));`;
  return JSON.parse(await platform.kube.node(await podOf(platform, 'gateway'), script)) as string[];
}

/** Waits until every service presents a different certificate than before. */
export async function certificatesReplaced(platform: Platform, before: readonly string[]): Promise<void> {
  await waitFor(async () => (await servedCertificates(platform)).every((serial, index) => serial !== before[index]), {
    timeoutMs: TAKEN_MS,
  });
}
