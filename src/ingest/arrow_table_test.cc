// SPDX-License-Identifier: Apache-2.0
#include "storage/arrow_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

#include "base/errors.h"
#include "ingest/test_files.h"

namespace hearsay::ingest {
namespace {

// A table of whole numbers and coordinates, as another program would export it. Counts what is given back.
class Exporter {
 public:
  Exporter(std::vector<std::string> names, std::vector<std::string> formats)
      : names_(std::move(names)), formats_(std::move(formats)) {}

  void add_batch(std::vector<std::vector<double>> doubles_or_whole) { batches_.push_back(std::move(doubles_or_whole)); }
  ArrowArrayStream stream() {
    return {get_schema, get_next, [](ArrowArrayStream*) { return "broken exporter"; },
            [](ArrowArrayStream* closed) { closed->release = nullptr; }, this};
  }
  int open = 0;  // arrays handed out and not given back
  bool broken = false;

 private:
  struct Column {
    std::vector<double> doubles;
    std::vector<std::int64_t> whole;
    const void* buffers[2] = {nullptr, nullptr};
  };
  struct Batch {
    Exporter* exporter;
    std::vector<Column> columns;
    std::vector<ArrowArray> children;
    std::vector<ArrowArray*> pointers;
    const void* buffers[1] = {nullptr};
  };

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    auto& self = *static_cast<Exporter*>(stream->private_data);
    const auto ignore = [](ArrowSchema* schema) { schema->release = nullptr; };
    self.children_.clear();
    for (std::size_t i = 0; i < self.names_.size(); ++i) {
      self.children_.push_back(
          {self.formats_[i].c_str(), self.names_[i].c_str(), nullptr, 2, 0, nullptr, nullptr, ignore, nullptr});
    }
    self.pointers_.clear();
    for (ArrowSchema& child : self.children_) self.pointers_.push_back(&child);
    *out = {"+s",    "",     nullptr, 0, static_cast<std::int64_t>(self.names_.size()), self.pointers_.data(),
            nullptr, ignore, nullptr};
    return 0;
  }

  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    auto& self = *static_cast<Exporter*>(stream->private_data);
    *out = {};
    if (self.broken) return EIO;
    if (self.next_ == self.batches_.size()) return 0;
    const auto& values = self.batches_[self.next_++];
    auto* batch = new Batch{&self, std::vector<Column>(values.size()), {}, {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
      Column& column = batch->columns[i];
      column.doubles = values[i];
      column.whole.assign(values[i].begin(), values[i].end());
      column.buffers[1] = self.formats_[i] == "g" ? static_cast<const void*>(column.doubles.data())
                                                  : static_cast<const void*>(column.whole.data());
      batch->children.push_back({static_cast<std::int64_t>(values[i].size()), 0, 0, 2, 0, column.buffers, nullptr,
                                 nullptr, [](ArrowArray* child) { child->release = nullptr; }, nullptr});
    }
    for (ArrowArray& child : batch->children) batch->pointers.push_back(&child);
    *out = {static_cast<std::int64_t>(values.front().size()),
            0,
            0,
            1,
            static_cast<std::int64_t>(values.size()),
            batch->buffers,
            batch->pointers.data(),
            nullptr,
            release,
            batch};
    ++self.open;
    return 0;
  }

  static void release(ArrowArray* array) {
    auto* batch = static_cast<Batch*>(array->private_data);
    --batch->exporter->open;
    delete batch;
    array->release = nullptr;
  }

  std::vector<std::string> names_;
  std::vector<std::string> formats_;
  std::vector<std::vector<std::vector<double>>> batches_;
  std::size_t next_ = 0;
  std::vector<ArrowSchema> children_;
  std::vector<ArrowSchema*> pointers_;
};

constexpr double kMarch = 1267401600;  // 2010-03-01 00:00 UTC

class ArrowTableTest : public FilesTest {
 protected:
  static Exporter fixes() {
    Exporter exporter({"uid", "lat", "lng", "datetime"}, {"l", "g", "g", "l"});
    exporter.add_batch({{7, 8}, {0.5, 1.5}, {0.5, 1.5}, {kMarch, kMarch + 3600}});
    exporter.add_batch({{8, 7, 7}, {0.5, 0.5, 1.5}, {1.5, 0.5, 0.5}, {kMarch + 60, kMarch + 60, kMarch + 7200}});
    return exporter;
  }
  static Source source(Exporter& exporter) {
    ArrowArrayStream stream = exporter.stream();
    Source made = events("");
    made.paths.clear();
    made.table = std::make_shared<storage::ArrowTable>(stream, "data frame");
    return made;
  }
};

TEST_F(ArrowTableTest, ReadsWhatAFileWouldSay) {
  const std::string file = write("fixes.csv",
                                 "uid,lat,lng,datetime\n7,0.5,0.5,1267401600\n8,1.5,1.5,1267405200\n"
                                 "8,0.5,1.5,1267401660\n7,0.5,0.5,1267401660\n7,1.5,0.5,1267408800\n");
  Exporter exporter = fixes();
  {
    const Source table = source(exporter);
    EXPECT_EQ(exporter.open, 2);
    const Visits visits = read(table);
    EXPECT_EQ(triples(visits), triples(read(events(file))));
    EXPECT_EQ(visits.tally.rows, 5U);
    EXPECT_TRUE(visits.inputs.empty());
    EXPECT_EQ(triples(read(table)), triples(visits)) << "a second time";
  }
  EXPECT_EQ(exporter.open, 0);
}

TEST_F(ArrowTableTest, NamesTheRowOfABadValue) {
  Exporter exporter = fixes();
  exporter.add_batch({{9}, {95}, {0.5}, {kMarch}});
  EXPECT_EQ(error_of<InputError>(source(exporter)),
            "data frame:6: column lat: \"95.0\" is out of range; expected degrees from -90 to 90");
  EXPECT_EQ(exporter.open, 0);
}

TEST_F(ArrowTableTest, NamesAColumnOfTheWrongKind) {
  Exporter exporter({"uid", "lat", "lng", "datetime"}, {"l", "g", "ttn", "l"});
  exporter.add_batch({{7}, {0.5}, {1}, {kMarch}});
  EXPECT_EQ(error_of<InputError>(source(exporter)), "data frame: column lng: has type TIME; expected numbers");
  Exporter nameless({"uid", "lat", "x", "datetime"}, {"l", "g", "g", "l"});
  nameless.add_batch({{7}, {0.5}, {1}, {kMarch}});
  EXPECT_EQ(error_of<InputError>(source(nameless)),
            "data frame: column lng: not found; the columns are uid, lat, x, datetime; did you mean \"lat\"?");
}

TEST_F(ArrowTableTest, SaysWhatTheExporterSays) {
  Exporter exporter = fixes();
  exporter.broken = true;
  ArrowArrayStream stream = exporter.stream();
  EXPECT_THROW(storage::ArrowTable(stream, "data frame"), InputError);
  EXPECT_EQ(stream.release, nullptr);
  Exporter empty({"uid", "lat", "lng", "datetime"}, {"l", "g", "g", "l"});
  EXPECT_EQ(error_of<InputError>(source(empty)), "data frame: no rows");
}

TEST_F(ArrowTableTest, StopsOnRequest) {
  Exporter exporter = fixes();
  std::stop_source stop;
  stop.request_stop();
  Options options;
  options.stop = stop.get_token();
  EXPECT_THROW(read_visits(source(exporter), grid(), march(), options), Cancelled);
  EXPECT_EQ(exporter.open, 0);
}

}  // namespace
}  // namespace hearsay::ingest
