import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map;

/**
 * A projection that returns only the first elements of some lists and excludes some fields. For a server this is an exclusion; the library
 * would treat it as an inclusion.
 */
record SlicedLists(Map<String, Object> lists, Document leftOut) {

  /** Returns null if the projection includes fields, or slices no list. */
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

  /** Returns a copy of a document with truncated lists. */
  Document cut(Document document) {
    Document cut = document.clone();
    lists.forEach((field, first) -> {
      if (cut.get(field) instanceof List<?> list) cut.put(field, list.subList(0, Math.min(list.size(), ((Number) first).intValue())));
    });
    return cut;
  }
}
