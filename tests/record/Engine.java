import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import io.debezium.engine.spi.OffsetCommitPolicy;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;

/**
 * Runs one connector in Debezium's embedded engine and appends the value of each record to a file, one a line.
 *
 *     Engine PROPERTIES OUTPUT CRASH_AFTER COMMIT_UNTIL
 *
 * Runs until it is killed. With CRASH_AFTER above 0 it dies by itself, as by kill -9, behind that many records of this run, and the
 * offsets of records behind COMMIT_UNTIL were never kept: the next run delivers those again.
 */
public class Engine {
    private static int written;

    public static void main(String[] args) throws Exception {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(Path.of(args[0]))) {
            properties.load(in);
        }
        int crashAfter = Integer.parseInt(args[2]), commitUntil = Integer.parseInt(args[3]);
        BufferedWriter out = Files.newBufferedWriter(Path.of(args[1]), StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
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
                        written++;
                        if (crashAfter > 0 && written == crashAfter) {
                            out.flush();
                            Runtime.getRuntime().halt(137);
                        }
                        if (crashAfter == 0 || written <= commitUntil)
                            committer.markProcessed(record);
                    }
                    out.flush();
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
