import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;

/** Combines the replies to single writes to the reply to their batch. */
final class BatchReply {

  private final List<Object> upserted = new ArrayList<>();
  private final List<Object> errors = new ArrayList<>();
  private int matched;
  private int modified;

  void add(int index, Document reply) {
    matched += (Integer) reply.get("n");
    modified += (Integer) reply.get("nModified");
    moveTo(index, reply.get("upserted"), upserted);
    moveTo(index, reply.get("writeErrors"), errors);
  }

  boolean failed() {
    return !errors.isEmpty();
  }

  private static void moveTo(int index, Object entries, List<Object> target) {
    if (!(entries instanceof Iterable<?> list)) return;
    for (Object entry : list) {
      ((Document) entry).put("index", index);
      target.add(entry);
    }
  }

  Document toDocument() {
    Document reply = new Document("n", matched).append("nModified", modified);
    if (!upserted.isEmpty()) reply.put("upserted", upserted);
    if (!errors.isEmpty()) reply.put("writeErrors", errors);
    Utils.markOkay(reply);
    return reply;
  }
}
