import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.AbstractMongoBackend;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Set;
import org.h2.mvstore.MVStore;

/** Stores all databases in one MVStore. A write is committed to disk before it is acknowledged, so a killed process loses nothing. */
final class StandInBackend extends AbstractMongoBackend {

  private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findandmodify", "create",
      "createindexes", "dropindexes", "drop", "dropdatabase", "renamecollection");

  /** The exit code of mongod for an unrecoverable error. */
  private static final int CANNOT_WRITE = 14;

  private final MVStore store;

  StandInBackend(MVStore store) {
    this.store = store;
    store.getMapNames().stream().map(StandInDatabase::databaseOfMap).distinct().forEach(this::resolveDatabase);
  }

  @Override
  protected MongoDatabase openOrCreateDatabase(String name) {
    return new StandInDatabase(name, store, getCursorRegistry());
  }

  @Override
  public Document handleMessage(MongoMessage message) {
    String command = message.getDocument().keySet().iterator().next();
    try {
      return super.handleMessage(message);
    } finally {
      if (WRITES.contains(command.toLowerCase())) commit();
    }
  }

  /**
   * Commits a write. A full disk closes the store, after which nothing can be read; the process then exits, like mongod when it cannot
   * write its journal.
   */
  private void commit() {
    try {
      store.commit();
    } finally {
      if (store.isClosed()) Runtime.getRuntime().halt(CANNOT_WRITE);
    }
  }

  @Override
  public Document handleCommand(Channel channel, String databaseName, String command, Document query) {
    // The library would open every database a second time, with separate indexes, only to list them.
    if (command.equalsIgnoreCase("listDatabases")) return listDatabases();
    return super.handleCommand(channel, databaseName, command, query);
  }

  private Document listDatabases() {
    List<Document> databases = listDatabaseNames().stream().sorted()
        .map(name -> new Document("name", name).append("empty", resolveDatabase(name).isEmpty())).toList();
    Document reply = new Document("databases", databases);
    Utils.markOkay(reply);
    return reply;
  }

  @Override
  public void close() {
    super.close();
    store.close();
  }
}
