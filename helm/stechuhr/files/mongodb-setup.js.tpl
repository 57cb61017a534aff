// Makes the replica set of one, an administrator, and a user for each service that may use its own database only.
const host = '{{ .host }}';
const password = '{{ .password }}';
const users = {{ .users }};

if (db.hello().setName === undefined) {
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host }] });
}
while (!db.hello().isWritablePrimary) sleep(500);

const admin = db.getSiblingDB('admin');
try {
  admin.createUser({ user: 'administrator', pwd: password, roles: ['root'] });
} catch {
  // It exists: only the first user can be created without authentication.
}
admin.auth('administrator', password);
for (const { user, password: pwd, database } of users) {
  const own = db.getSiblingDB(database);
  // Whoever exists is brought back to what the release says.
  if (own.getUser(user) === null) own.createUser({ user, pwd, roles: ['readWrite'] });
  else own.updateUser(user, { pwd, roles: ['readWrite'] });
}
