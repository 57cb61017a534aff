import de.bwaldvogel.mongo.backend.AbstractCursor;
import de.bwaldvogel.mongo.backend.Utils;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;

/** A cursor that reads documents only when the next batch is requested, and limits the size of a batch. */
final class LazyCursor extends AbstractCursor {

  /** Corresponds roughly to the limit of 16 MB for a reply, in heap bytes, which are about four times those on the wire. */
  private static final long BATCH_BYTES = 48L << 20;

  private final Iterator<Document> documents;
  private final UnaryOperator<List<Document>> projection;
  private final BsonValueType sizes = new BsonValueType();

  LazyCursor(long id, Iterator<Document> documents, UnaryOperator<List<Document>> projection) {
    super(id);
    this.documents = documents;
    this.projection = projection;
  }

  @Override
  public synchronized boolean isEmpty() {
    return !documents.hasNext();
  }

  /** Takes a batch; if `count` is 0, only its bytes are limited. */
  @Override
  public synchronized List<Document> takeDocuments(int count) {
    List<Document> batch = new ArrayList<>();
    long bytes = 0;
    while ((count == 0 || batch.size() < count) && bytes < BATCH_BYTES && documents.hasNext()) {
      Document next = documents.next();
      bytes += sizes.getMemory(next);
      batch.add(next);
    }
    return projection.apply(batch);
  }

  synchronized List<Document> takeAll() {
    List<Document> all = new ArrayList<>();
    documents.forEachRemaining(all::add);
    return projection.apply(all);
  }
}
