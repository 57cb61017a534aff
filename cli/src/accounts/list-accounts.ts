import { recordsV1, roleName } from '@stechuhr/contracts';
import { createGrpcClient, readStream } from '@stechuhr/service';
import { Failure } from '../failure.js';
import type { Output } from '../output.js';
import { findPlatform } from '../platform.js';
import { table } from '../table.js';
import { explainUnavailable } from '../explain-unavailable.js';
import { uuidOption } from '../uuid-option.js';

/** The options of `accounts list` as typed by the user. */
export interface ListAccountsOptions {
  readonly institution?: string;
  readonly ids?: boolean;
}

/** Lists the accounts of an institution, or of all. */
export async function listAccounts({ institution, ids }: ListAccountsOptions, output: Output): Promise<number> {
  const institutionId = institution === undefined ? undefined : uuidOption('--institution', institution);
  const address = findPlatform().grpcAddress('records');
  // Shell completion calls this while the user types, so it uses a client that gives up an unavailable service soon.
  const records = createGrpcClient(recordsV1.RecordsServiceClient, address);
  try {
    const accounts: ShownAccount[] = [];
    const messages = readStream(records, records.listAccounts, recordsV1.ListAccountsRequest.fromPartial({ institutionId }));
    for await (const message of messages) accounts.push(...message.accounts.map(toShown));
    if (ids === true) output.result(idsOf(accounts), () => idsOf(accounts).join('\n'));
    else output.result(accounts, () => (accounts.length === 0 ? 'No accounts.' : table(HEADER, accounts.map(rowOf))));
    return 0;
  } catch (caught) {
    throw Failure.fromPlatform(explainUnavailable(caught, { records: address }));
  } finally {
    records.close();
  }
}

function toShown({ account, email, institutionName }: recordsV1.ListedAccount) {
  if (account?.visibility === undefined) throw new Failure('The records service answered without an account.', 1);
  return {
    id: account.id,
    institution_id: account.institutionId,
    institution_name: institutionName,
    first_name: account.firstName,
    last_name: account.lastName,
    email,
    role: roleName(account.visibility.role),
  };
}

const HEADER = ['account', 'name', 'e-mail', 'role', 'institution', 'id of the institution'];

type ShownAccount = ReturnType<typeof toShown>;

function idsOf(accounts: readonly ShownAccount[]): readonly string[] {
  return accounts.map(({ id }) => id);
}

function rowOf(account: ShownAccount): readonly string[] {
  const { id, first_name, last_name, email, role, institution_name, institution_id } = account;
  return [id, `${first_name} ${last_name}`, email, role, institution_name, institution_id];
}
