import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import java.util.List;
import org.h2.mvstore.MVStore;

/**
 * A MongoDB stand-in for machines where no mongod can be had: mongo-java-server over one H2 MVStore file.
 * Usage: MongoStandIn PORT FILE. Listens on 127.0.0.1 only; ends with SIGTERM.
 */
public final class MongoStandIn {

  /** Holds what is written over and over. A larger one makes long reads slower: all that passes through it grows old in the heap. */
  private static final int CACHE_MEGABYTES = 48;

  public static void main(String[] args) {
    MVStore store = new MVStore.Builder().fileName(args[1]).cacheSize(CACHE_MEGABYTES).open();
    StandInBackend backend = new StandInBackend(store);
    backend.version(new CurrentVersion());
    MongoServer server = new MongoServer(backend);
    server.bind("127.0.0.1", Integer.parseInt(args[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    System.out.println("ready");
  }

  /** Drivers refuse servers older than their oldest supported one, and the library calls itself older than that. */
  private static final class CurrentVersion implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(5, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 13;
    }
  }
}
