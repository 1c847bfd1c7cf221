import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.Header;
import io.debezium.engine.format.Json;
import io.debezium.engine.format.KeyValueHeaderChangeEventFormat;
import io.debezium.engine.spi.OffsetCommitPolicy;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Runs one connector in Debezium's embedded engine and appends the value of each record to a file, one a line; and to OUTPUT.kcat the whole record, with its
 * key and headers, as kcat -J prints it of a broker on which each topic has one partition.
 *
 *     Engine PROPERTIES OUTPUT CRASH_AFTER COMMIT_UNTIL
 *
 * Runs until it is killed. With CRASH_AFTER above 0 it dies by itself, as by kill -9, behind that many records of this run, and the
 * offsets of records behind COMMIT_UNTIL were never kept: the next run delivers those again.
 */
public class Engine {
    private static int written;
    private static final Map<String, Long> offsets = new HashMap<>();

    private static String text(String text) {
        if (text == null)
            return "null";
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\')
                out.append('\\').append(c);
            else if (c < ' ')
                out.append(String.format("\\u%04x", (int) c));
            else
                out.append(c);
        }
        return out.append('"').toString();
    }

    private static String kcat(ChangeEvent<String, String> record) {
        StringBuilder headers = new StringBuilder();
        for (Header<String> header : record.<String>headers())
            headers.append(headers.length() == 0 ? "" : ",").append(text(header.getKey())).append(',').append(text(header.getValue()));
        long offset = offsets.merge(record.destination(), 1L, Long::sum) - 1;
        return "{\"topic\":" + text(record.destination()) + ",\"partition\":0,\"offset\":" + offset + ",\"tstype\":\"create\",\"ts\":0,\"broker\":0,\"headers\":[" + headers + "],\"key\":"
            + text(record.key()) + ",\"payload\":" + text(record.value()) + "}\n";
    }

    /* The offsets go on where an earlier run ended. */
    private static void count(Path kcat) throws IOException {
        if (!Files.exists(kcat))
            return;
        for (String line : Files.readAllLines(kcat)) {
            int from = "{\"topic\":\"".length();
            offsets.merge(line.substring(from, line.indexOf('"', from)), 1L, Long::sum);
        }
    }

    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(Path.of(args[0]))) {
            properties.load(in);
        }
        int crashAfter = Integer.parseInt(args[2]), commitUntil = Integer.parseInt(args[3]);
        BufferedWriter out = Files.newBufferedWriter(Path.of(args[1]), StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Path whole = Path.of(args[1] + ".kcat");
        count(whole);
        BufferedWriter kcat = Files.newBufferedWriter(whole, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(KeyValueHeaderChangeEventFormat.of(Json.class, Json.class, Json.class))
            .using(properties)
            .using(OffsetCommitPolicy.always())
            .using((success, message, error) -> {
                System.err.println("engine ended: " + success + " " + message + " " + error);
                System.exit(success ? 0 : 1);
            })
            .notifying((records, committer) -> {
                try {
                    for (ChangeEvent<String, String> record : records) {
                        String value = record.value();
                        out.write(value == null ? "null" : value);
                        out.write('\n');
                        kcat.write(kcat(record));
                        written++;
                        if (crashAfter > 0 && written == crashAfter) {
                            out.flush();
                            kcat.flush();
                            Runtime.getRuntime().halt(137);
                        }
                        if (crashAfter == 0 || written <= commitUntil)
                            committer.markProcessed(record);
                    }
                    out.flush();
                    kcat.flush();
                    if (crashAfter == 0 || written <= commitUntil)
                        committer.markBatchFinished();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            })
            .build();
        engine.run();
    }
}
