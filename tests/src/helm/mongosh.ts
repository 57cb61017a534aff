import { createContext, runInContext } from 'node:vm';

/** A user of a database. */
export interface MongoUser {
  readonly user: string;
  readonly pwd: string;
  readonly roles: readonly string[];
}

/** Simulates the replica set, users and permissions of a mongod with a key file. */
export class ServerOfUsers {
  replicaSet: { readonly _id: string; readonly members: readonly object[] } | undefined;
  /** Users by database and name. */
  readonly users = new Map<string, Map<string, MongoUser>>();
  /** Number of queries until the election has ended. */
  private answersUntilPrimary = 2;

  isPrimary(): boolean {
    return this.replicaSet !== undefined && this.answersUntilPrimary-- <= 0;
  }

  in(database: string): Map<string, MongoUser> {
    const users = this.users.get(database) ?? new Map<string, MongoUser>();
    this.users.set(database, users);
    return users;
  }

  get isEmpty(): boolean {
    return [...this.users.values()].every((users) => users.size === 0);
  }
}

/** The result of a script. */
export interface ScriptRun {
  /** Everything that it printed. */
  readonly printed: string;
  /** Its changes, one line each, without passwords. */
  readonly changes: readonly string[];
}

/**
 * Runs a script with the functions of mongosh that it uses, like a new connection from the server's own machine. It simulates only when
 * users may be created (the localhost exception ends with the first user) and that `auth` throws for a wrong password.
 */
export function runMongosh(script: string, server: ServerOfUsers): ScriptRun {
  const [changes, printed]: [string[], string[]] = [[], []];
  let isAdministrator = false;
  const insist = (allowed: boolean, what: string): void => {
    if (!allowed) throw new Error(`not authorized to execute ${what}`);
  };
  const database = (name: string): object => ({
    hello: () => ({ setName: server.replicaSet?._id, isWritablePrimary: server.isPrimary() }),
    getSiblingDB: database,
    getUser: (user: string) => {
      insist(isAdministrator, 'usersInfo');
      return server.in(name).get(user) ?? null;
    },
    createUser: (user: MongoUser) => {
      insist(isAdministrator || (name === 'admin' && server.isEmpty), 'createUser');
      if (server.in(name).has(user.user)) throw new Error(`User "${user.user}@${name}" already exists`);
      server.in(name).set(user.user, user);
      changes.push(`created ${user.user}@${name} ${user.roles.join()}`);
    },
    updateUser: (user: string, fields: Omit<MongoUser, 'user'>) => {
      insist(isAdministrator, 'updateUser');
      if (JSON.stringify(server.in(name).get(user)) !== JSON.stringify({ user, ...fields })) changes.push(`changed ${user}@${name}`);
      server.in(name).set(user, { user, ...fields });
    },
    auth: (user: string, pwd: string) => {
      if (server.in(name).get(user)?.pwd !== pwd) throw new Error('Authentication failed.');
      isAdministrator = server.in(name).get(user)?.roles.includes('root') ?? false;
      return { ok: 1 };
    },
  });
  const initiate = (config: NonNullable<ServerOfUsers['replicaSet']>): void => {
    insist(isAdministrator || server.isEmpty, 'replSetInitiate');
    server.replicaSet = config;
    changes.push(`initiated ${config._id}`);
  };
  const print = (...values: unknown[]): void => void printed.push(values.map(String).join(' '));
  const globals = {
    db: database('test'),
    rs: { initiate },
    sleep: () => {},
    print,
    printjson: print,
    console: { log: print, error: print },
  };
  runInContext(script, createContext(globals), { timeout: 5_000 });
  return { printed: printed.join('\n'), changes };
}
