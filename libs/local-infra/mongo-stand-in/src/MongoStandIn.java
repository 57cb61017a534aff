import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import java.util.List;
import org.h2.mvstore.MVStore;

/**
 * A replacement for MongoDB on machines where mongod is not available: mongo-java-server on a single H2 MVStore file. Usage: MongoStandIn
 * PORT FILE. It only listens on 127.0.0.1, and stops on SIGTERM.
 */
public final class MongoStandIn {

  /**
   * Enough for frequently rewritten pages. A larger cache makes long reads slower, because everything that passes through it is promoted to
   * the old generation of the heap.
   */
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

  /** The version that is reported to drivers, which reject the old version that the library reports. */
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
