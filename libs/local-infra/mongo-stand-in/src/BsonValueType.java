import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Map;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** Stores documents on disk as BSON, which is several times smaller and faster than Java serialization, the default of MVStore. */
final class BsonValueType extends BasicDataType<Document> {

  @Override
  public void write(WriteBuffer out, Document document) {
    ByteBuf bson = PooledByteBufAllocator.DEFAULT.heapBuffer();
    try {
      BsonEncoder.encodeDocument(document, bson);
      out.put(bson.nioBuffer());
    } finally {
      bson.release();
    }
  }

  @Override
  public Document read(ByteBuffer in) {
    int start = in.position();
    int size = in.order(ByteOrder.LITTLE_ENDIAN).getInt(start);
    in.order(ByteOrder.BIG_ENDIAN).position(start + size);
    return BsonDecoder.decodeBson(Unpooled.wrappedBuffer(in.slice(start, size)));
  }

  /** Estimates the heap size of a document, by which the page cache is limited. */
  @Override
  public int getMemory(Document document) {
    return heapBytes(document);
  }

  private static int heapBytes(Object value) {
    int bytes = 48;
    if (value instanceof Document document) {
      for (Map.Entry<String, Object> entry : document.entrySet()) bytes += 64 + heapBytes(entry.getValue());
    } else if (value instanceof Collection<?> items) {
      for (Object item : items) bytes += 8 + heapBytes(item);
    } else if (value instanceof String text) {
      bytes += text.length();
    }
    return bytes;
  }

  @Override
  public Document[] createStorage(int size) {
    return new Document[size];
  }
}
