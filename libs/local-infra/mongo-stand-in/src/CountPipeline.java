import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.bson.Document;
import java.util.Iterator;
import java.util.List;

/** The aggregation with which drivers count documents: $match, optionally $skip and $limit, and a $group of the rest. */
record CountPipeline(Document match, int skip, int limit, Object group, String field) {

  private static final Document ONE_EACH = new Document("$sum", 1);

  /** Returns null for other pipelines. */
  static CountPipeline of(List<?> stages) {
    Iterator<?> rest = stages.iterator();
    Document match = null;
    int skip = 0;
    int limit = 0;
    Document stage = next(rest);
    if (stage.get("$match") instanceof Document query) {
      match = query;
      stage = next(rest);
    }
    if (stage.get("$skip") instanceof Integer number && number >= 0) {
      skip = number;
      stage = next(rest);
    }
    if (stage.get("$limit") instanceof Integer number && number > 0) {
      limit = number;
      stage = next(rest);
    }
    return match == null || rest.hasNext() ? null : of(stage, match, skip, limit);
  }

  private static CountPipeline of(Document stage, Document match, int skip, int limit) {
    if (!(stage.get("$group") instanceof Document group) || group.size() != 2 || !(group.get("_id") instanceof Integer constant)) return null;
    String field = group.keySet().stream().filter(key -> !key.equals("_id")).findFirst().orElseThrow();
    return ONE_EACH.equals(group.get(field)) ? new CountPipeline(match, skip, limit, constant, field) : null;
  }

  private static Document next(Iterator<?> stages) {
    return stages.hasNext() && stages.next() instanceof Document stage && stage.size() == 1 ? stage : new Document();
  }

  /** Returns the reply; without a group if nothing was found. */
  Document reply(String namespace, int count) {
    List<Document> groups = count == 0 ? List.of() : List.of(new Document("_id", group).append(field, count));
    Document reply = new Document("cursor", new Document("id", 0L).append("ns", namespace).append("firstBatch", groups));
    Utils.markOkay(reply);
    return reply;
  }
}
