import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.DuplicateKeyError;
import java.util.List;
import org.h2.mvstore.MVMap;

/** The index on _id. It is the map of the collection itself, so it stores nothing. */
final class IdIndex extends Index<Object> {

  private final MVMap<Object, Document> documents;

  IdIndex(String name, List<IndexKey> keys, MVMap<Object, Document> documents) {
    super(name, keys, false);
    this.documents = documents;
  }

  static Object positionOf(Document document) {
    return Missing.ofNullable(document.get("_id"));
  }

  @Override
  public Object getPosition(Document document) {
    Object position = positionOf(document);
    return documents.containsKey(position) ? position : null;
  }

  @Override
  public void checkAdd(Document document, MongoCollection<Object> collection) {
    if (!documents.containsKey(positionOf(document))) return;
    throw new DuplicateKeyError(this, collection, getKeys(), new KeyValue(document.get("_id")));
  }

  @Override
  public Object remove(Document document) {
    return positionOf(document);
  }

  @Override
  public boolean isEmpty() {
    return false; // So that the library does not build it from existing documents.
  }

  @Override
  public long getCount() {
    return documents.sizeAsLong();
  }

  @Override
  public boolean isUnique() {
    return true;
  }

  @Override
  public boolean canHandle(Document query) {
    return false; // StandInCollection looks up ids itself.
  }

  @Override
  public Iterable<Object> getPositions(Document query) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void add(Document document, Object position, MongoCollection<Object> collection) {}

  @Override
  public void checkUpdate(Document before, Document after, MongoCollection<Object> collection) {}

  @Override
  public void updateInPlace(Document before, Document after, Object position, MongoCollection<Object> collection) {}

  @Override
  public long getDataSize() {
    return 0;
  }

  @Override
  public void drop() {}
}
