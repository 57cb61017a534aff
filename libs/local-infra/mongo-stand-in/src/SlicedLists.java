import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map;

/**
 * A projection that shows only the first elements of some lists, and leaves out some fields: to a server it is one of what is left out, to
 * the library one of what is named.
 */
record SlicedLists(Map<String, Object> lists, Document leftOut) {

  /** Null where the projection names what it shows, or shows no part of a list. */
  static SlicedLists of(Document projection) {
    Document lists = new Document();
    Document leftOut = new Document();
    for (Map.Entry<String, Object> entry : projection.entrySet()) {
      if (entry.getValue() instanceof Document slice && slice.get("$slice") instanceof Number first) lists.put(entry.getKey(), first);
      else if (entry.getValue() instanceof Number shown && shown.intValue() == 0) leftOut.put(entry.getKey(), shown);
      else return null;
    }
    return lists.isEmpty() ? null : new SlicedLists(lists, leftOut);
  }

  /** A copy of a document without the rest of its lists. */
  Document cut(Document document) {
    Document cut = document.clone();
    lists.forEach((field, first) -> {
      if (cut.get(field) instanceof List<?> list) cut.put(field, list.subList(0, Math.min(list.size(), ((Number) first).intValue())));
    });
    return cut;
  }
}
