import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.AbstractSynchronizedMongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.DatabaseResolver;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.oplog.Oplog;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * A database that only stores one map per collection on disk, from _id to document. A document is written with a single put, so a kill
 * cannot leave it inconsistent with its indexes, which are only kept in memory and rebuilt at startup.
 */
final class StandInDatabase extends AbstractSynchronizedMongoDatabase<Object> {

  /** Default size of a first batch. */
  private static final int FIRST_BATCH = 101;

  private final MVStore store;
  private final Map<String, MVMap<Object, Document>> maps = new ConcurrentHashMap<>();
  private final List<StandInCollection> opened = new ArrayList<>();
  private final boolean open;

  /** The index descriptions of the current command. The library passes only the keys of an index to the methods that create it. */
  private final ThreadLocal<List<?>> described = new ThreadLocal<>();

  StandInDatabase(String name, MVStore store, CursorRegistry cursors) {
    super(name, cursors);
    this.store = store;
    initializeNamespacesAndIndexes();
    opened.forEach(StandInCollection::fillIndexes);
    open = true;
  }

  /** Returns the database of a map. Maps are named `<database>.<collection>`; database names contain no dot. */
  static String databaseOfMap(String mapName) {
    return mapName.substring(0, mapName.indexOf('.'));
  }

  @Override
  protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
    StandInCollection collection = new StandInCollection(this, name, options, mapOf(name), cursorRegistry);
    if (open) collection.fillIndexes();
    else opened.add(collection);
    return collection;
  }

  private MVMap<Object, Document> mapOf(String collection) {
    return maps.computeIfAbsent(collection, name -> store.openMap(getFullCollectionNamespace(name),
        new MVMap.Builder<Object, Document>().valueType(new BsonValueType())));
  }

  @Override
  protected Index<Object> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
    boolean primary = keys.size() == 1 && keys.get(0).getKey().equals("_id");
    return primary ? new IdIndex(name, keys, mapOf(collection)) : new OrderedIndex(name, keys, sparse, true, filterOf(collection, name));
  }

  @Override
  protected Index<Object> openOrCreateSecondaryIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
    return new OrderedIndex(name, keys, sparse, false, filterOf(collection, name));
  }

  /** Returns the filter of a partial index; null for other indexes. While a database is opened, the stored descriptions are used. */
  private Document filterOf(String collection, String name) {
    Iterable<?> descriptions = described.get() != null ? described.get() : indexes.get() != null ? indexes.get().queryAll() : List.of();
    Document filter = null;
    for (Object each : descriptions) {
      Document description = (Document) each;
      boolean elsewhere = description.containsKey("ns") && !getFullCollectionNamespace(collection).equals(description.get("ns"));
      if (name.equals(description.get("name")) && !elsewhere) filter = (Document) description.get("partialFilterExpression");
    }
    return filter;
  }

  @Override
  public void dropCollection(String name, Oplog oplog) {
    super.dropCollection(name, oplog);
    store.removeMap(maps.remove(name));
  }

  @Override
  public Document handleCommand(Channel channel, String command, Document query, DatabaseResolver databases, Oplog oplog) {
    switch (command.toLowerCase()) {
      case "find":
        if (!query.containsKey("batchSize") && !query.containsKey("singleBatch")) query.put("batchSize", FIRST_BATCH);
        return super.handleCommand(channel, command, query, databases, oplog);
      case "insert":
        return withInsertedCount(query, super.handleCommand(channel, command, query, databases, oplog));
      case "update":
        return update(channel, query, databases, oplog);
      case "createindexes":
        return createIndexes(channel, query, databases, oplog);
      case "drop":
        return resolveCollection((String) query.get("drop"), false) == null ? okay() : super.handleCommand(channel, command, query, databases, oplog);
      case "aggregate":
        return aggregate(channel, query, databases, oplog);
      default:
        return super.handleCommand(channel, command, query, databases, oplog);
    }
  }

  private Document createIndexes(Channel channel, Document query, DatabaseResolver databases, Oplog oplog) {
    described.set((List<?>) query.get("indexes"));
    try {
      return super.handleCommand(channel, "createIndexes", query, databases, oplog);
    } finally {
      described.remove();
    }
  }

  /** Dropping a missing collection is not an error in current versions of MongoDB. */
  private static Document okay() {
    Document reply = new Document();
    Utils.markOkay(reply);
    return reply;
  }

  /** Corrects the number of inserted documents; the library also counts rejected ones. */
  private static Document withInsertedCount(Document query, Document reply) {
    if (reply.get("writeErrors") instanceof List<?> errors) {
      int sent = ((Collection<?>) query.get("documents")).size();
      boolean ordered = !Boolean.FALSE.equals(query.get("ordered"));
      reply.put("n", ordered ? ((Document) errors.get(0)).get("index") : Integer.valueOf(sent - errors.size()));
    }
    return reply;
  }

  /** Executes an ordered batch one update at a time and stops at the first error; the library would continue. */
  private Document update(Channel channel, Document query, DatabaseResolver databases, Oplog oplog) {
    @SuppressWarnings("unchecked")
    List<Document> updates = (List<Document>) query.get("updates");
    boolean ordered = !Boolean.FALSE.equals(query.get("ordered"));
    if (!ordered || updates.size() == 1) return super.handleCommand(channel, "update", query, databases, oplog);
    BatchReply batch = new BatchReply();
    for (int i = 0; i < updates.size() && !batch.failed(); i++) {
      Document one = query.clone();
      one.put("updates", List.of(updates.get(i)));
      batch.add(i, super.handleCommand(channel, "update", one, databases, oplog));
    }
    return batch.toDocument();
  }

  /** Lets a leading $match use the indexes, as a server does; the library would scan the collection. */
  private Document aggregate(Channel channel, Document query, DatabaseResolver databases, Oplog oplog) {
    MongoCollection<Object> collection = query.get("aggregate") instanceof String name ? resolveCollection(name, false) : null;
    if (!(collection instanceof StandInCollection own) || !(query.get("pipeline") instanceof List<?> stages)) {
      return super.handleCommand(channel, "aggregate", query, databases, oplog);
    }
    CountPipeline counting = query.containsKey("let") ? null : CountPipeline.of(stages);
    Integer count = counting == null ? null : own.countByIndex(counting.match(), counting.skip(), counting.limit());
    if (count != null) return counting.reply(own.getFullName(), count);
    return own.narrowedTo(leadingMatch(stages), () -> super.handleCommand(channel, "aggregate", query, databases, oplog));
  }

  private static Document leadingMatch(List<?> stages) {
    List<String> names = new ArrayList<>();
    for (Object stage : stages) names.addAll(((Document) stage).keySet());
    boolean joins = names.stream().anyMatch(name -> name.contains("ookup") || name.equals("$unionWith") || name.equals("$facet"));
    boolean matches = !names.isEmpty() && names.get(0).equals("$match");
    return matches && !joins ? (Document) ((Document) stages.get(0)).get("$match") : new Document();
  }

  @Override
  protected long getStorageSize() {
    return store.getFileStore().size();
  }

  @Override
  protected long getFileSize() {
    return getStorageSize();
  }
}
