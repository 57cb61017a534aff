import { Home, MissingProgram, startMongo, startSecantusDb } from '@stechuhr/local-infra';
import { connectMongo } from '@stechuhr/mongo';
import type { Rendered } from './chart.js';
import { runMongosh, ServerOfUsers } from './mongosh.js';

/** A server on this machine that knows the chart's users of MongoDB, and refuses what they may not do. */
export interface ChartMongo {
  /** Without a user. */
  readonly address: string;
  /** False without Python 3.11. Then it is a server without users, which refuses nothing. */
  readonly hasUsers: boolean;
  /** Connection strings that the chart passes to the services, by name. */
  readonly urls: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Starts SecantusDB with the users that the chart's script creates. */
export async function startChartMongo(release: Rendered): Promise<ChartMongo> {
  const home = await Home.temporary();
  const urls = release.object('Secret', 'demo-stechuhr-mongodb')['stringData'] as Readonly<Record<string, string>>;
  const hasUsers = await createUsers(release, home);
  const server = hasUsers ? await startSecantusDb({ home, args: ['--auth'] }) : await startMongo({ home, own: true });
  const at = (url: string): string => (hasUsers ? atServer(server.address, url) : server.address);
  return {
    address: server.address,
    hasUsers,
    urls: Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, at(url)])),
    async stop() {
      await server.stop();
      await home.close();
    },
  };
}

/** Creates the users while nobody has to authenticate. @returns whether that was possible */
async function createUsers(release: Rendered, home: Home): Promise<boolean> {
  const server = await startSecantusDb({ home }).catch((error: unknown) => {
    if (error instanceof MissingProgram) return undefined;
    throw error;
  });
  if (server === undefined) return false;
  const { connection, close } = await connectMongo({ url: server.address, database: 'admin', logger: silent });
  for (const [database, users] of usersOf(release)) {
    for (const { user, pwd, roles } of users.values()) await connection.getClient().db(database).command({ createUser: user, pwd, roles });
  }
  await close();
  await server.stop();
  return true;
}

function usersOf(release: Rendered): ServerOfUsers['users'] {
  const server = new ServerOfUsers();
  runMongosh(release.object('Secret', 'demo-stechuhr-mongodb-config')['stringData']['setup.js'], server);
  return server.users;
}

/** The connection string with another server, whose replica set has another name. */
function atServer(address: string, url: string): string {
  const moved = new URL(url);
  moved.host = new URL(address).host;
  moved.searchParams.delete('replicaSet');
  return moved.href;
}
