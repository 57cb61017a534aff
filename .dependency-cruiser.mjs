// The boundaries of the code (CONTRIBUTING.md, "Where things live"). Paths match anywhere, so that the fixture in
// scripts/boundaries-fixture can break each rule once; scripts/check-boundaries.mjs proves that each of them fires.

const TESTS = '(\\.test\\.ts$|/test/|(^|/)tests/|(^|/)bench/|(^|/)libs/testing/)';
const PURE_LIBS = '(^|/)libs/(kernel/src|worktime/src|exporting/src|ingest/src/kinds)/';

/** A package that only one place may import: everything else goes through that place. */
const onlyIn = (name, packages, places, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: `(${places})|${TESTS}` },
  to: { path: `(^|/)node_modules/(${packages})(/|$)` },
});

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one idea in two places: extract what both need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'Rules are tested without servers: domain imports domain, pure libs and zod, nothing that does I/O.',
      severity: 'error',
      from: { path: '(^|/)services/[^/]+/src/domain/', pathNot: TESTS },
      to: { pathNot: `/src/domain/|${PURE_LIBS}|(^|/)node_modules/zod/|^node:crypto$|^crypto$` },
    },
    {
      name: 'operations-know-ports-only',
      comment: 'An operation says what it needs in ports.ts; adapters are chosen in context.ts.',
      severity: 'error',
      from: { path: '(^|/)services/[^/]+/src/operations/', pathNot: TESTS },
      to: { path: '/src/(store|grpc|events|routes|middleware)/|(^|/)node_modules/(mongoose|mongodb|ioredis|minio|@nats-io|@grpc)(/|$)' },
    },
    {
      name: 'edges-do-not-touch-the-store',
      comment: 'grpc/ and events/ decode, call an operation and encode; the store is behind the operation.',
      severity: 'error',
      from: { path: '(^|/)services/[^/]+/src/(grpc|events)/', pathNot: TESTS },
      to: { path: '(^|/)services/[^/]+/src/store/' },
    },
    {
      name: 'clients-are-behind-ports',
      comment: 'How others are asked is known in clients/ alone: an operation says what it needs in ports.ts, context.ts chooses.',
      severity: 'error',
      from: { path: '(^|/)services/[^/]+/src/(operations|grpc|events)/', pathNot: TESTS },
      to: { path: '(^|/)services/[^/]+/src/clients/' },
    },
    {
      name: 'no-cross-service',
      comment: 'Services talk over gRPC and NATS, never through imports.',
      severity: 'error',
      from: { path: '(^|/)services/([^/]+)/' },
      to: { path: '(^|/)services/([^/]+)/', pathNot: '(^|/)services/$2/' },
    },
    {
      name: 'libs-do-not-know-services',
      comment: 'A lib that knows a service is part of that service.',
      severity: 'error',
      from: { path: '(^|/)libs/' },
      to: { path: '(^|/)(services|cli|deploy|tests)/', pathNot: '(^|/)libs/' },
    },
    {
      name: 'pure-libs-stay-pure',
      comment: 'kernel, worktime, exporting and the kinds of ingest do no I/O: they run in every process and in tests without servers.',
      severity: 'error',
      from: { path: PURE_LIBS, pathNot: TESTS },
      to: { path: '^(node:)?(fs|net|http|https|http2|child_process|dns|tls)(/|$)|(^|/)libs/(service|bus|mongo|redis|objectstore)/' },
    },
    {
      name: 'cli-uses-public-doors',
      comment: 'The CLI reaches the gateway’s tokens by its admin entry and everything else by gRPC.',
      severity: 'error',
      from: { path: '(^|/)cli/src/' },
      to: { path: '(^|/)services/', pathNot: '(^|/)services/gateway/src/admin\\.ts$' },
    },
    onlyIn('mongo-in-stores-only', 'mongoose|mongodb|bson', '/src/store/|(^|/)libs/(mongo|local-infra)/', 'Only stores speak MongoDB.'),
    onlyIn('nats-in-bus-only', '@nats-io', '(^|/)libs/(bus|local-infra)/', 'Only libs/bus speaks NATS.'),
    onlyIn('redis-in-one-place', 'ioredis', '(^|/)libs/redis/', 'Only libs/redis speaks Redis.'),
    onlyIn('s3-in-one-place', 'minio', '(^|/)libs/objectstore/', 'Only libs/objectstore speaks S3.'),
    {
      name: 'not-to-test',
      comment: 'What runs in production does not import tests or their helpers.',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'A package that is not in the package.json of its user works by luck of hoisting.',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere fails at run time.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependency-at-run-time',
      comment: 'devDependencies are not in the image.',
      severity: 'error',
      from: { path: '/src/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?!.*node_modules/).*/(dist|dist-test|gen)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.json', '.d.ts'],
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
  },
};
